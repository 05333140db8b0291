#ifndef TREE_H
#define TREE_H
extern int limit;
int tree(int n);
int list(int n);
static inline int below(int n) { return n < limit; }
#endif
