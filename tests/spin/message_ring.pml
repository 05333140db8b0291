/* A ring by which a place sends messages to another one (include/channels/gpu/active_messages):
   several wavefronts of the source write to it, one of the destination reads.

   Modelled: messages of two words. A write to the other place is on its way until some later moment,
   and writes overtake each other, but for two of one wavefront to the same word; that is all that
   relaxed stores promise. A wavefront that sends takes a position, waits for room, and writes; when
   it has sent all it counts itself, and the last one says where the messages end. The reader looks
   at the word of its head and gives room back whenever it likes.

   Not modelled: the lanes of a wavefront, which do the same side by side; numbers of rounds that
   begin again.

   Shown, in every schedule: each message is read once and whole, the reader ends when all have been
   read, and there is no state in which nobody can go on. */

#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef MESSAGES
#define MESSAGES 2 /* of each sender */
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#define ALL (SENDERS * MESSAGES)

/* What can be wrong, each of which has to be found. */
#define none 0
#define room_not_awaited 1     /* a message is written without room */
#define room_given_early 2     /* room is given back for the message that is about to be read */
#define first_word_only 3      /* a message counts as whole when its first word is there */
#define round_ignored 4        /* a word that is not empty counts as arrived */
#define counted_before_taking 5 /* a sender counts itself before it has taken its last position */
#define first_ends 6           /* the first sender that is done says where the messages end */
#define end_is_enough 7        /* the reader ends when it knows the end, whatever it has read */
#ifndef MUTANT
#define MUTANT none
#endif

#define ROUND(position) ((position) / CAPACITY + 1)

/* The words of the ring: the round, and the message's position, which is its data. */
byte round0[CAPACITY];
byte round1[CAPACITY];
byte data0[CAPACITY];
byte data1[CAPACITY];

byte tail = 0;  /* at the source, as `room`: what the source knows of what was read */
byte room = 0;
byte ended = 0;
byte end = 255; /* at the destination: 255 is not known */

/* Writes on their way: which word, the number of its slot, its round, its data. */
mtype = { first, second, ending, giving };
chan wire = [8] of { mtype, byte, byte, byte };

active proctype network() {
  mtype what;
  byte slot, number, value;
end_network:
  do
  /* Any of them arrives, in any order. */
  :: wire ?? first, slot, number, value -> d_step { round0[slot] = number; data0[slot] = value }
  :: wire ?? second, slot, number, value -> d_step { round1[slot] = number; data1[slot] = value }
  :: wire ?? ending, slot, number, value -> end = value
  /* The reader's stores go to one word: none is undone by an earlier one. */
  :: wire ?? giving, slot, number, value -> if :: value > room -> room = value :: else fi
  od
}

proctype sender() {
  byte left = MESSAGES, position, count;
  do
  :: left > 0 ->
#if MUTANT == counted_before_taking
    if :: left == 1 -> atomic { ended++; count = ended } :: else fi;
#endif
    atomic { position = tail; tail++ };
#if MUTANT != room_not_awaited
    position < room + CAPACITY;  /* waits */
#endif
    if
    :: wire ! first, position % CAPACITY, ROUND(position), position;
       wire ! second, position % CAPACITY, ROUND(position), position
    :: wire ! second, position % CAPACITY, ROUND(position), position;
       wire ! first, position % CAPACITY, ROUND(position), position
    fi;
    left--
  :: else -> break
  od;
#if MUTANT != counted_before_taking
  atomic { ended++; count = ended };
#endif
#if MUTANT == first_ends
  if :: count == 1 -> wire ! ending, 0, 0, tail :: else fi
#else
  if :: count == SENDERS -> wire ! ending, 0, 0, tail :: else fi
#endif
}

active proctype reader() {
  byte head = 0, told = 0;
  do
#if MUTANT == round_ignored
  :: round0[head % CAPACITY] != 0 && round1[head % CAPACITY] != 0 ->
#elif MUTANT == first_word_only
  :: round0[head % CAPACITY] == ROUND(head) ->
#else
  :: round0[head % CAPACITY] == ROUND(head) && round1[head % CAPACITY] == ROUND(head) ->
#endif
#if MUTANT == room_given_early
    if :: told < head + 1 -> told = head + 1; wire ! giving, 0, 0, told :: else fi;
#endif
    assert(data0[head % CAPACITY] == head && data1[head % CAPACITY] == head);
    head++
  :: told < head -> told = head; wire ! giving, 0, 0, told
#if MUTANT == end_is_enough
  :: end != 255 -> break
#else
  :: end == head -> break
#endif
  od;
  assert(head == ALL)
}

init {
  byte i;
  atomic {
    for (i : 1 .. SENDERS) { run sender() }
  }
}
