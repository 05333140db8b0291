/* How ranks exchange the children of host code: runtime/net_tasks/task_exchange.hpp. A tree of tasks
   begins at rank 0. A rank with nothing to run asks another; who is asked gives a child that waits,
   or refuses; a task that has come may be passed on, also back; results go home the way the tasks
   came. When the root has ended rank 0 says so, and each rank is gone when all others have left.

   Modelled: links that keep the order of what is sent (MPI's between two ranks). A worker for each
   rank: while it waits for children it runs others, which lie on top of its stack then. Which child
   is given, when a question is refused and when a task is passed on is left open, so each rule for
   that is covered. A rank that was refused asks again when there may be something new.

   Shown, in every schedule: each task runs once, and after all its children have ended it ends;
   nothing is on its way to a rank that is gone, and no rank goes with tasks of others; and the
   program ends, as there is no state in which nobody can go on (spin's invalid end states). */

#ifndef RANKS
#define RANKS 2
#endif
#ifndef TASKS
#define TASKS 4 /* task 0 is the root */
#endif
#ifndef WIDE
#define WIDE 0  /* 1: all others are its children; 0: task t has the children 2 t + 1 and 2 t + 2 */
#endif
#ifndef HOPS
#define HOPS 2  /* how often a task is given at most */
#endif

/* What can be wrong, each of which has to be found. */
#define none 0
#define given_and_kept 1         /* a task that is given also stays */
#define result_stays 2           /* the result of a task that was passed on goes no further */
#define join_forgets_away 3      /* a parent does not wait for a child that is away */
#define leaves_alone 4           /* a rank is gone when rank 0 has left, whatever others do */
#define waits_without_running 5  /* a worker that waits for children runs nothing else */
#ifndef MUTANT
#define MUTANT none
#endif

#if WIDE
#define FIRST(t) ((t) == 0 -> 1 : TASKS)
#define LAST(t) TASKS
#define PARENT(t) 0
#else
#define FIRST(t) (2 * (t) + 1)
#define LAST(t) (2 * (t) + 3 < TASKS -> 2 * (t) + 3 : TASKS)
#define PARENT(t) (((t) - 1) / 2)
#endif

mtype = { question, refusal, task, result, leave };
#define LINK(a, b) ((a) * RANKS + (b))
chan link[RANKS * RANKS] = [TASKS + 4] of { mtype, byte };

/* A record of a task: one where it was made, and one at each rank that it was given to. Record
   `t * RECORDS + n` is that of task t after n gifts. */
#define RECORDS (HOPS + 1)
#define ALL (TASKS * RECORDS)
#define TASK(c) ((c) / RECORDS)
#define IS_MADE_HERE(c) ((c) % RECORDS == 0)
#define unknown 0
#define waits 1     /* in the deque of its rank */
#define at_work 2   /* on the stack of a worker */
#define away 3      /* given to another rank */
#define finished 4  /* the result is there; if it was given to this rank, it has to go back */
byte state[ALL];
byte at[ALL];       /* the rank that has it */
byte waiting[RANKS]; /* records in the deque */
byte owed[RANKS];    /* finished records whose results have to go back */
byte pending[TASKS]; /* children that have not ended */
bool spawned[TASKS];
bool ran[TASKS];
byte alive = 1;      /* tasks that were made and have not ended */
byte stack[RANKS * TASKS];
byte depth[RANKS];

bool asking[RANKS];
bool news[RANKS];         /* there may be something to ask for */
bool asked[RANKS * RANKS]; /* a question from ... is held at ... */
bool leaving[RANKS];
byte left[RANKS];         /* ranks whose last message has come */
bool gone[RANKS];
byte out = 0;             /* records that are away */
byte i_;

inline tell_news() {
  i_ = 0;
  do
  :: i_ < RANKS -> news[i_] = true; i_++
  :: else -> break
  od;
  i_ = 0
}

/* A record has its result. */
inline finish(c) {
  state[c] = finished;
  if
  :: IS_MADE_HERE(c) ->
     alive--;
     if
     :: TASK(c) > 0 -> pending[PARENT(TASK(c))]--
     :: else
     fi
  :: else -> owed[at[c]]++
  fi
}

/* A record that waits at `me`: the oldest or the newest. There is one. */
inline choose(me, c) {
  if
  :: c = 0;
     do
     :: state[c] == waits && at[c] == me -> break
     :: else -> c++
     od
  :: c = ALL - 1;
     do
     :: state[c] == waits && at[c] == me -> break
     :: else -> c--
     od
  fi
}

#define TOP(r) stack[(r) * TASKS + depth[r] - 1]
#define LACKS(r) (waiting[r] == 0 && (depth[r] == 0 || spawned[TASK(TOP(r))]))

proctype worker(byte me) {
  byte c = 0;
  byte k = 0;
end_of_worker:
  do
  :: atomic {
       waiting[me] > 0 && !gone[me] &&
       (depth[me] == 0 || (spawned[TASK(TOP(me))] && MUTANT != waits_without_running)) ->
       choose(me, c);
       state[c] = at_work;
       waiting[me]--;
       stack[me * TASKS + depth[me]] = c;
       depth[me]++;
       assert(!ran[TASK(c)]);
       ran[TASK(c)] = true;
       c = 0
     }
  :: atomic { /* spawns its children */
       depth[me] > 0 && !spawned[TASK(TOP(me))] ->
       c = TASK(TOP(me));
       spawned[c] = true;
       k = FIRST(c);
       do
       :: k < LAST(c) ->
          state[k * RECORDS] = waits;
          at[k * RECORDS] = me;
          waiting[me]++;
          pending[c]++;
          alive++;
          k++
       :: else -> break
       od;
       k = 0;
       c = 0;
       tell_news()
     }
  :: atomic { /* ends */
       depth[me] > 0 && spawned[TASK(TOP(me))] && pending[TASK(TOP(me))] == 0 ->
       c = TOP(me);
       depth[me]--;
       finish(c);
       c = 0
     }
  od
}

#define FROM(n) nempty(link[LINK((me + n) % RANKS, me)]) -> r = (me + n) % RANKS
#define HELD(n) !leaving[me] && asked[LINK((me + n) % RANKS, me)]

inline say_leave() {
  leaving[me] = true;
  r = 0;
  do
  :: r < RANKS && r != me -> assert(!gone[r]); link[LINK(me, r)]!leave, 0; r++
  :: r == me -> r++
  :: r == RANKS -> break
  od;
  r = 0
}

/* The next message from rank r. */
inline receive() {
  if
  :: link[LINK(r, me)]?question, _ -> asked[LINK(r, me)] = !leaving[me]
  :: link[LINK(r, me)]?refusal, _ -> asking[me] = false
  :: link[LINK(r, me)]?task, c ->
     asking[me] = false;
     state[c] = waits;
     at[c] = me;
     waiting[me]++;
     tell_news()
  :: link[LINK(r, me)]?result, c ->
     assert(state[c] == away);
     out--;
     if
     :: MUTANT == join_forgets_away && IS_MADE_HERE(c) -> state[c] = finished; alive--
     :: else -> finish(c)
     fi
  :: link[LINK(r, me)]?leave, _ ->
     left[me]++;
     if
     :: r == 0 && !leaving[me] -> say_leave()
     :: else
     fi
  fi;
  c = 0;
  r = 0
}

/* Answers the question of rank r that is held: with a record that waits, which then is away, or
   with a refusal. */
inline answer() {
  given = 0;
  if
  :: waiting[me] > 0 ->
     choose(me, c);
     if
     :: c % RECORDS < HOPS -> given = 1
     :: else
     fi
  :: given = 0
  fi;
  asked[LINK(r, me)] = false;
  assert(!gone[r]);
  if
  :: given == 1 ->
     if
     :: MUTANT != given_and_kept -> state[c] = away; waiting[me]--
     :: else
     fi;
     out++;
     if
     :: MUTANT == join_forgets_away && IS_MADE_HERE(c) -> pending[PARENT(TASK(c))]--
     :: else
     fi;
     link[LINK(me, r)]!task, c + 1
  :: else -> link[LINK(me, r)]!refusal, 0
  fi;
  given = 0;
  c = 0;
  r = 0
}

proctype exchange(byte me) {
  byte c = 0;
  byte r = 0;
  byte given = 0;

  do
  :: atomic { /* asks another rank; rank 0 only if something of it is away */
       !leaving[me] && !asking[me] && news[me] && LACKS(me) && (me != 0 || out > 0) ->
       asking[me] = true;
       news[me] = false;
       if
       :: r = (me + 1) % RANKS
#if RANKS > 2
       :: r = (me + 2) % RANKS
#endif
       fi;
       link[LINK(me, r)]!question, 0;
       r = 0
     }
  :: atomic { FROM(1); receive() }
#if RANKS > 2
  :: atomic { FROM(2); receive() }
#endif
  :: atomic { HELD(1) -> r = (me + 1) % RANKS; answer() }
#if RANKS > 2
  :: atomic { HELD(2) -> r = (me + 2) % RANKS; answer() }
#endif
  :: atomic { /* a result goes back */
       !leaving[me] && owed[me] > 0 ->
       c = 0;
       do
       :: state[c] == finished && at[c] == me && !IS_MADE_HERE(c) -> break
       :: else -> c++
       od;
       owed[me]--;
       state[c] = unknown;
       if
       :: MUTANT == result_stays && c % RECORDS == 2
       :: else -> link[LINK(me, at[c - 1])]!result, c - 1
       fi;
       c = 0
     }
  :: atomic { me == 0 && !leaving[me] && state[0] == finished -> assert(alive == 0); say_leave() }
  :: atomic {
       leaving[me] && (left[me] == RANKS - 1 || (MUTANT == leaves_alone && me != 0)) ->
       gone[me] = true;
       assert(waiting[me] == 0 && depth[me] == 0);
       break
     }
  od
}

init {
  byte r = 0;
  atomic {
    state[0] = at_work;
    ran[0] = true;
    depth[0] = 1;
    do
    :: r < RANKS -> run worker(r); run exchange(r); r++
    :: else -> break
    od
  }
}
