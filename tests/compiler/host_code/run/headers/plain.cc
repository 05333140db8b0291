extern "C" int plain(int x) { return x; }
