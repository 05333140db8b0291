/* A simulation of health care: villages of a tree treat their patients, or send them to the village
 * above. Each village has its own random numbers, so that order does not matter.
 *
 * omp_health [-t] [levels] [steps] */
#include "../timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { children = 4, beds_per_level = 5 };

struct patient {
  int steps, hospitals, left;
  struct patient *back, *forward;
};

struct list {
  struct patient *first, *last;
};

struct village {
  int level, free_beds, population;
  unsigned seed;
  struct village* below[children];
  struct list well, waiting, assessed, inside, sent_up;
};

struct totals {
  long patients, waiting, assessed, inside, steps, hospitals;
};

static unsigned chance(struct village* here) {
  here->seed = here->seed * 1103515245u + 12345u;
  return (here->seed >> 16) % 1000;
}

static void append(struct list* to, struct patient* one) {
  one->forward = NULL;
  one->back = to->last;
  if (to->last != NULL)
    to->last->forward = one;
  else
    to->first = one;
  to->last = one;
}

static void remove_from(struct list* from, struct patient* one) {
  if (one->back != NULL)
    one->back->forward = one->forward;
  else
    from->first = one->forward;
  if (one->forward != NULL)
    one->forward->back = one->back;
  else
    from->last = one->back;
}

static struct village* make_village(int level, unsigned* seed) {
  struct village* made = (struct village*)calloc(1, sizeof *made);
  *seed = *seed * 1664525u + 1013904223u;
  made->level = level;
  made->seed = *seed;
  made->free_beds = beds_per_level << level;
  made->population = 6 << level;
  for (int i = 0; i < made->population; i++)
    append(&made->well, (struct patient*)calloc(1, sizeof(struct patient)));
  for (int i = 0; level > 0 && i < children; i++) made->below[i] = make_village(level - 1, seed);
  return made;
}

static void free_list(struct list* of) {
  while (of->first != NULL) {
    struct patient* one = of->first;
    remove_from(of, one);
    free(one);
  }
}

static void free_village(struct village* one) {
  for (int i = 0; i < children; i++) {
    if (one->below[i] != NULL) free_village(one->below[i]);
  }
  free_list(&one->well);
  free_list(&one->waiting);
  free_list(&one->assessed);
  free_list(&one->inside);
  free_list(&one->sent_up);
  free(one);
}

/* Patients who are treated go home, if they are not sent on. */
static void treat(struct village* here, struct village* above) {
  struct patient* next;
  for (struct patient* one = here->inside.first; one != NULL; one = next) {
    next = one->forward;
    one->steps++;
    if (--one->left > 0) continue;
    remove_from(&here->inside, one);
    here->free_beds++;
    append(&here->well, one);
  }
  for (struct patient* one = here->assessed.first; one != NULL; one = next) {
    next = one->forward;
    one->steps++;
    if (--one->left > 0) continue;
    remove_from(&here->assessed, one);
    if (above != NULL && chance(here) < 300) {
      here->free_beds++;
      append(&here->sent_up, one);
    } else {
      one->left = 5;
      append(&here->inside, one);
    }
  }
}

static void admit(struct village* here) {
  struct patient* next;
  for (struct patient* one = here->waiting.first; one != NULL; one = next) {
    next = one->forward;
    one->steps++;
    if (here->free_beds == 0) continue;
    here->free_beds--;
    one->left = 3;
    one->hospitals++;
    remove_from(&here->waiting, one);
    append(&here->assessed, one);
  }
  for (struct patient* one = here->well.first; one != NULL; one = next) {
    next = one->forward;
    if (chance(here) >= 40) continue;
    remove_from(&here->well, one);
    append(&here->waiting, one);
  }
}

/* Those that villages below have sent up are taken in the order of the villages. */
static void simulate(struct village* here, struct village* above) {
  for (int i = 0; i < children; i++) {
    if (here->below[i] == NULL) continue;
#pragma omp task untied firstprivate(i)
    simulate(here->below[i], here);
  }
  treat(here, above);
  admit(here);
#pragma omp taskwait
  for (int i = 0; i < children; i++) {
    struct village* below = here->below[i];
    while (below != NULL && below->sent_up.first != NULL) {
      struct patient* one = below->sent_up.first;
      remove_from(&below->sent_up, one);
      append(&here->waiting, one);
    }
  }
}

static void count_list(const struct list* of, long* number, struct totals* to) {
  for (const struct patient* one = of->first; one != NULL; one = one->forward) {
    (*number)++;
    to->patients++;
    to->steps += one->steps;
    to->hospitals += one->hospitals;
  }
}

static struct totals add_up(const struct village* here) {
  struct totals of[children] = {{0}}, all = {0};
  long well = 0;
  for (int i = 0; i < children; i++) {
#pragma omp task shared(of) firstprivate(i) if (here -> level > 1)
    {
      if (here->below[i] != NULL) of[i] = add_up(here->below[i]);
    }
  }
  count_list(&here->well, &well, &all);
  count_list(&here->waiting, &all.waiting, &all);
  count_list(&here->assessed, &all.assessed, &all);
  count_list(&here->inside, &all.inside, &all);
#pragma omp taskwait
  for (int i = 0; i < children; i++) {
    all.patients += of[i].patients;
    all.waiting += of[i].waiting;
    all.assessed += of[i].assessed;
    all.inside += of[i].inside;
    all.steps += of[i].steps;
    all.hospitals += of[i].hospitals;
  }
  return all;
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  int levels = argc > 1 ? atoi(argv[1]) : 3;
  int steps = argc > 2 ? atoi(argv[2]) : 30;
  unsigned seed = 42;
  struct village* top = make_village(levels, &seed);
  struct totals all = {0};
  timing_begin();
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < steps; i++) {
#pragma omp taskgroup
      simulate(top, NULL);
    }
    all = add_up(top);
  }
  timing_end();
  printf("omp_health %d %d: %ld patients, %ld wait, %ld are assessed, %ld inside\n", levels, steps,
         all.patients, all.waiting, all.assessed, all.inside);
  printf("%ld steps in %ld hospitals\n", all.steps, all.hospitals);
  free_village(top);
  return 0;
}
