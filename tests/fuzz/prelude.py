"""Text that the programs share, and what each of them starts with."""

COMMON = r"""#include <alloca.h>
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""

REDUCTIONS = r"""
static void zero(void* view) { *(unsigned long*)view = 0; }
static void add(void* left, void* right) { *(unsigned long*)left += *(unsigned long*)right; }
static void exclusive_or(void* left, void* right) { *(unsigned long*)left ^= *(unsigned long*)right; }

static void larger(void* left, void* right) {
  if (*(unsigned long*)left < *(unsigned long*)right) *(unsigned long*)left = *(unsigned long*)right;
}

/* A hash of a sequence: associative, and any change of order changes it. */
struct sequence { unsigned long hash, power; };
static void sequence_empty(void* view) {
  struct sequence* sequence = (struct sequence*)view;
  sequence->hash = 0;
  sequence->power = 1;
}
static void sequence_join(void* left, void* right) {
  struct sequence* before = (struct sequence*)left;
  const struct sequence* after = (const struct sequence*)right;
  before->hash = before->hash * after->power + after->hash;
  before->power *= after->power;
}
static void sequence_append(struct sequence* sequence, unsigned long value) {
  sequence->hash = sequence->hash * 1000003u + (value % 1000000007u + 1u);
  sequence->power *= 1000003u;
}

struct item { unsigned long value; struct item* next; };
struct list { struct item* first; struct item* last; };
static void list_empty(void* view) {
  struct list* list = (struct list*)view;
  list->first = list->last = NULL;
}
static void list_join(void* left, void* right) {
  struct list* before = (struct list*)left;
  struct list* after = (struct list*)right;
  if (after->first == NULL) return;
  if (before->first == NULL) before->first = after->first; else before->last->next = after->first;
  before->last = after->last;
}
static void list_append(struct list* list, unsigned long value) {
  struct item* item = (struct item*)malloc(sizeof(struct item));
  struct list one = {item, item};
  item->value = value;
  item->next = NULL;
  list_join(list, &one);
}
static unsigned long list_take(struct list* list) {
  unsigned long hash = 7;
  while (list->first != NULL) {
    struct item* item = list->first;
    hash = hash * 31u + item->value;
    list->first = item->next;
    free(item);
  }
  list->last = NULL;
  return hash;
}
"""

CLASSES = r"""#include <atomic>
#include <utility>

// Counts its objects: at the end none may be left, and none may be destroyed twice.
class counted {
 public:
  explicit counted(unsigned long v) : value(v), self_(this) { ++living; }
  counted(const counted& other) : value(other.value), self_(this) { other.check(); ++living; }
  counted(counted&& other) noexcept : value(other.value), self_(this) { other.check(); ++living; }
  counted& operator=(const counted& other) { check(); other.check(); value = other.value; return *this; }
  ~counted() { check(); self_ = nullptr; --living; }
  unsigned long value;
  static inline std::atomic<long> living{0};
 private:
  void check() const {
    if (self_ == this) return;
    printf("an object is used that does not live\n");
    fflush(stdout);
    _Exit(3);
  }
  const counted* self_;
};
class failure {
 public:
  explicit failure(unsigned long v) : value_(v) {}
  unsigned long value() const { return value_.value; }
 private:
  counted value_;
};
static std::pair<unsigned long, unsigned long> pair_of(unsigned long a, unsigned long b) { return {a, b}; }
"""

PROGRAM = r"""typedef unsigned %(word)s @word;
enum @color { @RED, @GREEN, @BLUE };
static const unsigned @table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static const unsigned @seed = %(seed)uu;
#define @MIX(a, b) (((a) ^ (b)) * 40503u)
static unsigned long @mix(unsigned long a, unsigned long b) {
  return (a ^ b) * 11400714819323198485u + (a >> 29);
}
static void @stir(unsigned long* values, int count, unsigned long by) {
  for (int i = 0; i < count; i++) values[i] = @mix(values[i], by + (unsigned long)i);
}
"""

KEYWORD_MACROS = """#define @SPAWN(place, call) place = cilk_spawn call
#define @SYNC cilk_sync
"""

RISKY = r"""static unsigned long @risky(int n, unsigned long value, unsigned long limit) {
  counted mine(value);
  if (value == limit) throw failure(value + 100u * (unsigned long)n);
  if (n <= 0) return mine.value;
  unsigned long a = cilk_spawn @risky(n - 1, value + 1u, limit);
  cilk_sync;
  return @mix(a, mine.value);
}
"""

# The programs of a file, and the ways in which main runs them, which FUZZ_WAY chooses: each in a thread of its own, all at
# once; before main; or one after the other.
WAYS = r"""static unsigned long (*const programs[])(void) = {%(runs)s};
static unsigned long results[%(count)d];
static int are_there;
static void* run_one(void* which) {
  results[(long)which] = programs[(long)which]();
  return NULL;
}
static int is_way(const char* name) {
  const char* way = getenv("FUZZ_WAY");
  return way != NULL && strcmp(way, name) == 0;
}
static void run_in_threads(int first, int last) {
  pthread_t threads[%(count)d];
  for (int k = first; k <= last; k++)
    if (pthread_create(&threads[k], NULL, run_one, (void*)(long)k) != 0) abort();
  for (int k = first; k <= last; k++) pthread_join(threads[k], NULL);
}
static void run_early(int argc, char** argv) {
  int first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : %(last)d;
  if (!is_way("early")) return;
  for (int k = first; k <= last; k++) run_one((void*)(long)k);
  are_there = 1;
}
"""

EARLY_C = r"""__attribute__((constructor)) static void early(int argc, char** argv) { run_early(argc, argv); }
"""

# argc and argv are main's only, but the system's list of arguments is there before.
EARLY_CXX = r"""static struct early {
  early() {
    static char text[256];
    static char* words[4];
    int count = 0;
    FILE* file = fopen("/proc/self/cmdline", "r");
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL) fclose(file);
    for (size_t i = 0; i < length && count < 4; i += strlen(text + i) + 1) words[count++] = text + i;
    run_early(count, words);
  }
} before_main;
"""

MAIN = r"""
int main(int argc, char** argv) {
  int first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : %(last)d;
  if (is_way("threads")) {
    run_in_threads(first, last);
    are_there = 1;
  }
  for (int k = first; k <= last; k++) {
    printf("%%d %%016lx\n", k, are_there ? results[k] : programs[k]());
    fflush(stdout);
  }
%(check)s  return 0;
}
"""

CHECK_OBJECTS = r"""  if (counted::living != 0) printf("%ld objects are left\n", counted::living.load());
"""

MAIN_SPAWNS = r"""
int main(int argc, char** argv) {
  int first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : %(last)d;
  if (is_way("threads")) {
    run_in_threads(first, last);
    are_there = 1;
  }
  for (int k = first; k <= last && !are_there; k++) {
    switch (k) {
%(cases)s
    }
  }
  cilk_sync;
  for (int k = first; k <= last; k++) printf("%%d %%016lx\n", k, results[k]);
%(check)s  return 0;
}
"""
