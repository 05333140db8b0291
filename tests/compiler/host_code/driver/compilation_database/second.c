int second(void) { return BASE; }
