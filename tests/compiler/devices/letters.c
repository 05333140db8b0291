// The classes of letters, and parts of texts, in C: where <ctype.h> has macros, and where it has functions.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan -O0 --device=emulated --explain %s -o %t.out 2>&1 | FileCheck %s
// CHECK: tasks: 1 of 1 functions
#include <cilk/cilk.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static long classes(int c) {
  long sum = 0;
  sum = sum * 3 + (isalpha(c) != 0) + (isdigit(c) != 0) * 2L;
  sum = sum * 3 + (isalnum(c) != 0) + (isspace(c) != 0) * 2L;
  sum = sum * 3 + (isupper(c) != 0) + (islower(c) != 0) * 2L;
  sum = sum * 3 + (ispunct(c) != 0) + (isprint(c) != 0) * 2L;
  sum = sum * 3 + (isgraph(c) != 0) + (iscntrl(c) != 0) * 2L;
  sum = sum * 3 + (isxdigit(c) != 0) + (isblank(c) != 0) * 2L;
  return sum * 3 + toupper(c) + tolower(c) * 2L;
}

static int next_word(const char* text, char* word) {
  size_t start = strspn(text, " ,;");
  size_t length = strcspn(text + start, " ,;");
  word[0] = '<';
  word[1] = 0;
  strncat(word, text + start, length < 20 ? length : 20);
  for (char* at = word; *at; ++at) *at = (char)(islower((unsigned char)*at) ? toupper(*at) : *at);
  return (int)(start + length);
}

static long walk(int low, int high) {
  if (high - low == 1) {
    static const char text[] = "the quick, brown;fox  jumps";
    char word[32];
    int at = 0;
    long sum = classes(low);
    for (int i = 0; i < low % 5; ++i) at += next_word(text + at, word);
    if (low % 5 != 0) sum = sum * 31 + word[1] + (long)strlen(word);
    const char* found = strpbrk(text + at, "xyz;");
    return sum % 1000003 + (found == NULL ? 0 : found - text) + (long)strnlen(text, (size_t)low);
  }
  long a = cilk_spawn walk(low, (low + high) / 2);
  long b = walk((low + high) / 2, high);
  cilk_sync;
  return a * 7 % 1000003 + b;
}

int main(void) { printf("%ld\n", walk(0, 256)); }
