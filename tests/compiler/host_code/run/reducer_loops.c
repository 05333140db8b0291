// A loop takes a reducer's view once, unless its strand ends in it, or its start can be gone around.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A string that only grows at its end: what is out of order shows. */
typedef struct { char* text; size_t length; } line;
static void empty(void* view) { memset(view, 0, sizeof(line)); }
static void append(line* to, const char* text, size_t length) {
  to->text = realloc(to->text, to->length + length + 1);
  memcpy(to->text + to->length, text, length);
  to->length += length;
  to->text[to->length] = 0;
}
static void join(void* left, void* right) {
  line* from = right;
  if (from->text != NULL) append(left, from->text, from->length);
  free(from->text);
}
static void put(line* to, char c) { append(to, &c, 1); }

line cilk_reducer(empty, join) all;
struct pair { int pad; line cilk_reducer(empty, join) own; } both;

static void zero(void* view) { *(long*)view = 0; }
static void plus(void* left, void* right) { *(long*)left += *(long*)right; }
long cilk_reducer(zero, plus) count;

static void letter(char c) { put(&all, c); }
/* Spawns and syncs in the middle of its caller's loop. */
static void word(char c, int n) {
  if (n == 0) return letter(c);
  cilk_spawn word(c, n - 1);
  count++;
  word(c + 1, n - 1);
  cilk_sync;
  put(&all, '.');
}

static void calls(int n) {
  cilk_spawn word('A', 2);
  for (int i = 0; i < n; i++) {
    put(&all, '0' + i);
    word('a', 2);
    put(&both.own, '0' + i);
    count += i;
  }
}
static void spawns(int n) {
  for (int i = 0; i < n; i++) {
    put(&all, '<');
    cilk_spawn word('k', 1);
    put(&all, '>');
    for (int k = 0; k < 3; k++) put(&all, '-');
    if (i % 2) cilk_sync;
    put(&all, '|');
  }
}
/* The sync of the reducer's block ends the strand that the loop began in. */
static void blocks(int n) {
  cilk_spawn word('p', 2);
  for (int i = 0; i < n; i++) {
    long cilk_reducer(zero, plus) own = i;
    own += 1;
    put(&all, '0' + (int)own);
  }
  cilk_spawn word('q', 1);
  for (int i = 1; i < n; i++) {
    char variable[i];
    memset(variable, 'v', i);
    append(&all, variable, i);
  }
}
/* Nobody comes by the start of these. */
static void jumps(int n) {
  int i = 0;
  cilk_spawn word('x', 1);
  if (n > 2) goto inside;
  while (i < n) {
    put(&all, 'w');
  inside:
    put(&all, 'W');
    i++;
  }
  i = 0;
  switch (n % 3) {
    do {
      put(&all, '0');
      case 1: put(&all, '1');
      case 2: put(&all, '2');
      default: put(&all, 'd');
    } while (++i < n);
  }
  i = 0;
  do put(&all, 'o');
  while (++i < n);
  do
    switch (i % 2) {
      case 0: put(&all, 'e'); break;
      default: put(&all, 'f');
    }
  while (--i > 0);
}
#define EACH(i, n) for (int i = 0; i < (n); i++)
static void iterations(int n) {
  line cilk_reducer(empty, join) local;
  memset(&local, 0, sizeof local);
  cilk_for (int i = 0; i < n; i++) {
    put(&local, 'a' + i % 26);
    put(&all, 'A' + i % 26);
    if (i % 7 == 0) word('0', 1);
    cilk_for (int k = 0; k < 3; k++) {
      put(&all, '0' + k);
      count += k;
    }
    put(&local, '.');
  }
  cilk_for (int i = 0; i < n; i++) {
    put(&local, '(');
    cilk_spawn word('s', 1);
    EACH(k, 2) put(&all, '*');
    for (int k = 0; k < 2; k++)
      for (int l = 0; l < 2; l++) put(&local, '0' + k + l);
  }
  printf("%s\n", local.text);
  free(local.text);
}

int main(void) {
  calls(5);
  spawns(5);
  blocks(4);
  for (int i = 0; i < 5; i++) jumps(i);
  iterations(20);
  printf("%s\n%s\n%ld\n", all.text, both.own.text, count);
  return 0;
}
