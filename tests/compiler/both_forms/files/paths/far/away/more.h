static inline int one(void) { return 1; }
