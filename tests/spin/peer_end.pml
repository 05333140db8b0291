/* How the GPUs of one run find out together that it has ended, and what its sum is:
   include/channels/gpu/scheduler/summing/run_sum.hpp, with gifts between wavefronts (gifts.hpp) and
   between GPUs (peer_gifts.hpp). There are so many tasks, all of them with one wavefront at first.
   Each task that is run adds 1 to the sum of its wavefront.

   Modelled: a step for each access to a word that wavefronts share; the two halves of
   `working_and_held` change in one step. An inbox and a line hold one task. Which tasks a wavefront
   runs, gives or keeps, and when it looks, is left open.

   Shown, in every schedule: when a wavefront ends the run, all tasks have been run, no gift is under
   way, and the sum is that of all; and the run ends, as there is no state in which nobody can go
   on (spin's invalid end states). */

#ifndef GPUS
#define GPUS 2
#endif
#ifndef WAVES
#define WAVES 2    /* of each GPU; the first owns its line */
#endif
#ifndef TASKS
#define TASKS 3
#endif
/* Gifts in all, between GPUs and between wavefronts: else they could go round for ever. */
#ifndef GIFTS
#define GIFTS 3
#endif
#ifndef LOCAL_GIFTS
#define LOCAL_GIFTS 2
#endif

/* What can be wrong, each of which has to be found. */
#define none 0
#define counted_after_gift 1      /* a GPU that gives raises the run's count behind the gift */
#define taken_without_look 2      /* a GPU's credits are taken although a gift has come meanwhile */
#define halves_apart 3            /* a gift's credit is noted before the wavefront that has it */
#define local_gift_not_counted 4
#define sum_behind_credits 5      /* credits go back before the sum */
#define one_credit_back 6         /* a GPU that was given to gives back one credit of several */
#ifndef MUTANT
#define MUTANT none
#endif

#define ALL (GPUS * WAVES)

byte low[GPUS];      /* working_and_held: wavefronts that have work, and gifts under way to them */
byte high[GPUS];     /*   and the GPU's credits */
byte gpu_sum[GPUS];
byte working = 1;    /* of the run */
byte sum = 0;
bit hungry[ALL];
byte message[ALL];
bit wants[GPUS];
byte line[GPUS];
byte gifts_left = GIFTS, local_left = LOCAL_GIFTS;
byte ended = 0;      /* tasks that have been run */
bit over = 0;

proctype wavefront(byte me) {
  byte gpu = me / WAVES;
  byte tasks = 0, credits = 0, mine = 0;
  byte left, held, part, to;
  bit is_hungry = 0, has_asked = 0;
  if
  :: me == 0 -> tasks = TASKS; credits = 1
  :: else
  fi;
  do
  :: over -> break

  /* runs a task */
  :: !over && tasks > 0 -> atomic { tasks--; mine++; ended++ }

  /* gives one to a wavefront of its GPU */
  :: !over && tasks > 0 && local_left > 0 ->
     atomic {
       select(to : 0 .. WAVES - 1);
       to = gpu * WAVES + to;
       if
       :: hungry[to] && to != me && local_left > 0 -> hungry[to] = 0; local_left--
       :: else -> to = ALL
       fi
     }
     if
     :: to != ALL ->
#if MUTANT != local_gift_not_counted
        low[gpu]++;
#endif
        atomic { tasks--; message[to] = 1 }
     :: else
     fi

  /* gives one to another GPU */
  :: !over && tasks > 0 && gifts_left > 0 ->
     atomic {
       select(to : 0 .. GPUS - 1);
       if
       :: to != gpu && wants[to] && gifts_left > 0 -> wants[to] = 0; gifts_left--
       :: else -> to = GPUS
       fi
     }
     if
     :: to != GPUS ->
#if MUTANT == counted_after_gift
        atomic { tasks--; line[to] = 1 }
        working++
#else
        working++;
        atomic { tasks--; line[to] = 1 }
#endif
     :: else
     fi

  /* takes what has come */
  :: message[me] > 0 -> atomic { tasks = tasks + message[me]; message[me] = 0; is_hungry = 0 }
     credits++
  :: me % WAVES == 0 && line[gpu] > 0 ->
     atomic { tasks = tasks + line[gpu]; line[gpu] = 0; has_asked = 0 }
#if MUTANT == halves_apart
     high[gpu]++;
     low[gpu]++;
#else
     atomic { high[gpu]++; low[gpu]++ }
#endif
     credits++

  /* asks, and takes that back */
  :: !over && tasks == 0 && !is_hungry -> atomic { is_hungry = 1; hungry[me] = 1 }
  :: !over && tasks == 0 && me % WAVES == 0 && !has_asked -> atomic { has_asked = 1; wants[gpu] = 1 }
  :: !over && tasks > 0 && has_asked && wants[gpu] ->
     atomic {
       if
       :: wants[gpu] -> wants[gpu] = 0; has_asked = 0
       :: else
       fi
     }

  /* has no work any more */
  :: !over && tasks == 0 && credits > 0 ->
     atomic { gpu_sum[gpu] = gpu_sum[gpu] + mine; mine = 0 }
     atomic { low[gpu] = low[gpu] - credits; left = low[gpu]; held = high[gpu]; credits = 0 }
     if
     :: left == 0 ->
        atomic {
#if MUTANT == taken_without_look
          held = high[gpu]; high[gpu] = 0
#else
          if
          :: low[gpu] == 0 && high[gpu] == held -> high[gpu] = 0
          :: else -> held = 0
          fi
#endif
        }
#if MUTANT == one_credit_back
        if
        :: held > 1 -> held = 1
        :: else
        fi;
#endif
        if
        :: held > 0 ->
#if MUTANT == sum_behind_credits
           atomic { working = working - held; left = working }
           atomic { part = gpu_sum[gpu]; gpu_sum[gpu] = 0 }
           sum = sum + part;
#else
           atomic { part = gpu_sum[gpu]; gpu_sum[gpu] = 0 }
           sum = sum + part;
           atomic { working = working - held; left = working }
#endif
           if
           :: left == 0 ->
              atomic {
                assert(!over && ended == TASKS && sum == TASKS);
                over = 1
              }
           :: else
           fi
        :: else
        fi
     :: else
     fi
  od
}

init {
  atomic {
    byte i;
    low[0] = 1;
    high[0] = 1;
    for (i : 0 .. ALL - 1) { run wavefront(i) }
  }
}
