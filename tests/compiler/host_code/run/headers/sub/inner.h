#ifndef INNER_H
#define INNER_H
#define BASE 2
long other(int);
#endif
