/* Fills shelves with books of given widths so that as little as possible stays empty: a search of
 * an unbalanced tree. The state is passed by value, and the widths are a constant table. */
#include <cilk/cilk.h>
#include <stdio.h>

#define BOOKS ((int)(sizeof books / sizeof books[0]))
#define SHELVES 3

static const struct {
  unsigned short width, worth;
} books[] = {{31, 40}, {17, 21}, {44, 62}, {9, 8},   {26, 30}, {38, 55},
             {12, 16}, {21, 19}, {33, 47}, {15, 13}, {28, 41}, {19, 25},
             {41, 50}, {11, 14}, {24, 22}, {36, 52}, {14, 18}, {29, 27}};

struct state {
  int room[SHELVES];
  int next;
  int worth;
};

struct answer {
  int worth;
  unsigned long long leaves;
};

static int rest(int from) {
  int sum = 0;
  for (int i = from; i < BOOKS; i++) sum += books[i].worth;
  return sum;
}

/* `goal`: what has to be reached for a branch to count. */
struct answer search(struct state s, int goal) {
  struct answer best = {s.worth, 1};
  if (s.next == BOOKS || s.worth + rest(s.next) < goal) return best;
  struct answer found[SHELVES + 1];
  int branches = 0;
  for (int i = 0; i < SHELVES; i++) {
    if (s.room[i] < books[s.next].width) continue;
    if (i > 0 && s.room[i] == s.room[i - 1]) continue;
    struct state t = s;
    t.room[i] -= books[s.next].width;
    t.worth += books[s.next].worth;
    t.next++;
    found[branches++] = cilk_spawn search(t, goal);
  }
  s.next++;
  found[branches++] = search(s, goal);
  cilk_sync;
  best.leaves = 0;
  for (int i = 0; i < branches; i++) {
    if (found[i].worth > best.worth) best.worth = found[i].worth;
    best.leaves += found[i].leaves;
  }
  return best;
}

int main(void) {
  struct state s = {{100, 90, 80}, 0, 0};
  struct answer a = search(s, 360);
  printf("worth %d, %llu leaves\n", a.worth, a.leaves);
  return 0;
}
