void NAME(TYPE *p, int n) { cilk_for (int i = 0; i < n; i++) p[i] = i * 2; }
