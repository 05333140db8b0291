extern int factor;
static const int in_h[3] = {5, 6, 7};
static int inner(int x) { return x % 3; }
static inline int scaled(int x) { return x * 7 + inner(x); }
