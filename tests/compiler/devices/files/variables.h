extern int ours;       // both files' tasks use it by its name
extern int* to_ours;   // and one of them by this pointer, too
void theirs(int lo, int hi);
