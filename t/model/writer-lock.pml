/* Models the rule of src/database/writer_lock.c for Spin. There are two writers and two readers, each
 * killed at any step, power cuts between any two steps, and a clock with any value. A program that
 * settles another program's unfinished write is a writer here.
 *
 * take_snapshot asserts these properties. If a snapshot lacks a write, that write has a stamp above
 * the serverTime of that snapshot, or is not in any later snapshot. This holds whether the write was
 * acknowledged, failed or was cut short. An acknowledged write, or a write in some snapshot, is in
 * every later snapshot. The serverTime is never below a stamp of the snapshot, and never below an
 * earlier serverTime: `told` keeps the highest until a power cut.
 *
 * The model of SQLite follows its src/wal.c. Commits are in a write-ahead log; each is valid only
 * after its predecessor (checksums), the first only after the log's header (salts). Connections
 * share an index of the valid commits. If the database is not open anywhere, or the index is half
 * written, the next connection rebuilds the index from every valid commit in the log: that is
 * recovery. A writer can restart the log with a new header once the whole log is in the database.
 * The last connection to close moves the log into the database and deletes it.
 *
 * After a failed sync, the system treats data as written that could be missing from the disk: later
 * syncs skip that data until it is written again.
 *
 * OLD is the previous rule; NO_SERVED, NO_CEILING, NO_KEEPING, NO_WRITING_AGAIN, CLEAR_ALWAYS,
 * CHECKPOINT_ALWAYS, TOLD_LATE and SHOW_ALWAYS each omit a part of the current rule. Spin must find
 * an error in each variant. */

#ifndef WRITES
#define WRITES 3 /* the most commits that can begin */
#endif
#ifndef CLOCK_MAX
#define CLOCK_MAX 2
#endif
#define WRITERS 2
#define READERS 2

#define HEADER(write) (10 + (write)) /* the log header written by this write */
#define BIT(write) (1 << (write))
#ifdef CHECKPOINT_ALWAYS
#define MAY_CHECKPOINT true
#else
#define MAY_CHECKPOINT (in_flight == 0)
#endif
#define MAX(a, b) ((a) > (b) -> (a) : (b))

/* All processes map this page. */
byte served, ceiling, durable_ceiling, in_flight, safe_stamp, told;
bool safe_is_of_this_boot;
bool page_is_old; /* from an earlier boot */
byte lock_owner;  /* 0: free */

/* SQLite has the log in the page cache and on the disk. Place 0 is its header; the other places
 * have numbers of writes; 0 marks an invalid place. */
byte cache_log[WRITES + 1], disk_log[WRITES + 1];
byte given_up; /* bits of places that later syncs skip, after a failed sync */
byte previous[WRITES + 1]; /* the predecessor of a write in the log when it was written */
byte index_count;          /* valid commits in the log */
byte index_header;         /* the header that these commits follow */
byte moved_count;          /* the number of these commits that are also in the database */
bool index_is_torn;
byte in_database; /* bits of writes; forget drops writes that are only here */
byte database_stamp;
byte connections;

/* Only the model has these variables. */
byte next_write = 1;
byte stamps[WRITES + 1];
byte latest_server_time; /* the highest serverTime of any answer */
byte must_not_appear;    /* bits of writes missing from a snapshot with a serverTime >= their stamp */
byte acknowledged;
byte shown; /* bits of writes in any snapshot */
byte changes_nothing; /* bits of writes that only overwrite another write; such writes can come and go */

mtype = { closed, booting, idle, marked, stamped, header, header_sync, overwrite, frame, sync, publish, publish_rest,
    committed, failed, look, ask_lock, snapshot, settled_snapshot, late };
byte writer_at[WRITERS + 1] = closed, reader_at[READERS + 1] = closed; /* values of mtype */
byte writer_value[WRITERS + 1];  /* the clock, then the number of the write */
byte inherited[WRITERS + 1];     /* in_flight when the writer started */
byte reader_value[READERS + 1];  /* the clock, then the serverTime */
#ifdef TOLD_LATE
byte reader_seen[READERS + 1]; /* bits of the writes in its snapshot */
#endif
byte power_left; /* while the power is off: the number of unsettled places, plus one */

byte i, visible, before; /* 0 between steps */

/* Sorts the readers. Readers are interchangeable, and so are writers, so sorting merges equal states. */
inline sort_readers()
{
    if
    :: reader_at[1] < reader_at[2] || (reader_at[1] == reader_at[2] && reader_value[1] < reader_value[2]) ->
        before = reader_at[1]; reader_at[1] = reader_at[2]; reader_at[2] = before;
        before = reader_value[1]; reader_value[1] = reader_value[2]; reader_value[2] = before;
#ifdef TOLD_LATE
        before = reader_seen[1]; reader_seen[1] = reader_seen[2]; reader_seen[2] = before;
#endif
        before = 0
    :: else
    fi
}

inline sort_writers()
{
    if
    :: writer_at[1] < writer_at[2] || (writer_at[1] == writer_at[2] && writer_value[1] < writer_value[2]) ->
        before = writer_at[1]; writer_at[1] = writer_at[2]; writer_at[2] = before;
        before = writer_value[1]; writer_value[1] = writer_value[2]; writer_value[2] = before;
        before = inherited[1]; inherited[1] = inherited[2]; inherited[2] = before;
        lock_owner = (lock_owner == 0 -> 0 : 3 - lock_owner);
        before = 0
    :: else
    fi
}

inline read_visible()
{
    visible = in_database;
    i = 1;
    do
    :: i <= index_count -> visible = visible | BIT(cache_log[i]); i++
    :: else -> break
    od;
    i = 0
}

inline recover()
{
    index_count = 0;
    before = cache_log[0];
    do
    :: index_count < WRITES && before != 0 && cache_log[index_count + 1] != 0 &&
           previous[cache_log[index_count + 1]] == before ->
        index_count++;
        before = cache_log[index_count]
    :: else -> break
    od;
    before = 0;
    index_header = cache_log[0];
    moved_count = 0;
    index_is_torn = false
}

/* Drops values that can no longer matter, so that equal states look equal. */
inline forget()
{
    safe_stamp = (in_flight == 0 -> 0 : safe_stamp);
    safe_is_of_this_boot = in_flight != 0 && safe_is_of_this_boot;
    i = 1;
    do
    :: i <= WRITES -> /* a commit needs its predecessor */
        if
        :: i > index_count && cache_log[i] != 0 && previous[cache_log[i]] != cache_log[i - 1] &&
               previous[cache_log[i]] != disk_log[i - 1] ->
            cache_log[i] = 0
        :: else
        fi;
        if
        :: disk_log[i] != 0 && previous[disk_log[i]] != cache_log[i - 1] && previous[disk_log[i]] != disk_log[i - 1] ->
            disk_log[i] = 0
        :: else
        fi;
        given_up = (cache_log[i] == disk_log[i] -> given_up & ~BIT(i) : given_up);
        i++
    :: else -> break
    od;
    before = 1;
    do
    :: before < next_write ->
        i = 1;
        do
        :: i <= WRITES && cache_log[i] != before && disk_log[i] != before -> i++
        :: else -> break
        od;
        if
        :: i > WRITES && before != writer_value[1] && before != writer_value[2] ->
            if
            :: (in_database & BIT(before)) ->
                assert(!(must_not_appear & BIT(before)));
                database_stamp = MAX(database_stamp, stamps[before]);
                in_database = in_database & ~BIT(before)
            :: else ->
                assert(!(acknowledged & BIT(before)));
                assert(!(shown & BIT(before)))
            fi;
            must_not_appear = must_not_appear & ~BIT(before);
            acknowledged = acknowledged & ~BIT(before);
            shown = shown & ~BIT(before);
            changes_nothing = changes_nothing & ~BIT(before);
            stamps[before] = 0;
            previous[before] = 0
        :: else
        fi;
        before++
    :: else -> break
    od;
    i = 0;
    before = 0;
    visible = 0
}

inline sync_log()
{
    i = 0;
    do
    :: i <= WRITES ->
        disk_log[i] = ((given_up & BIT(i)) -> disk_log[i] : cache_log[i]);
        i++
    :: else -> break
    od;
    i = 0
}

/* Lets a sync fail. Linux treats the unwritten data as written, and each part can be on the disk. */
inline fail_sync()
{
    i = 0;
    do
    :: i <= WRITES ->
        given_up = (cache_log[i] != disk_log[i] -> given_up | BIT(i) : given_up);
        i++
    :: else -> break
    od;
    i = 0
}

inline checkpoint()
{
    sync_log();
    read_visible();
    in_database = visible;
    moved_count = index_count;
    i = 1;
    do /* a page that is torn in the database is complete in the log */
    :: i <= index_count -> assert(!(given_up & BIT(i))); i++
    :: else -> break
    od;
    i = 0
}

inline open_database(at)
{
    if
    :: connections == 0 -> recover()
    :: else
    fi;
    connections++;
    at = (page_is_old -> booting : idle);
    forget()
}

/* Closes the last connection. On the disk, the folder can still contain the deleted log. */
inline close_database()
{
    connections--;
    if
#ifndef CHECKPOINT_ALWAYS
    :: in_flight != 0
#endif
    :: else ->
        checkpoint();
        i = 0;
        do
        :: i <= WRITES -> cache_log[i] = 0; i++
        :: else -> break
        od;
        given_up = 0
    fi;
    index_count = 0;
    index_header = 0;
    moved_count = 0;
    forget()
}

/* Takes the page over after a boot. Several programs can do so at the same time. */
inline take_page_over()
{
    served = MAX(served, ceiling);
    durable_ceiling = 0;
#ifdef OLD
    in_flight = 0;
#endif
    page_is_old = false
}

/* Returns the last visible stamp in `before`. */
inline read_last_stamp()
{
    before = database_stamp;
    i = 1;
    do
    :: i < next_write ->
        if
        :: (visible & BIT(i)) -> before = MAX(before, stamps[i])
        :: else
        fi;
        i++
    :: else -> break
    od
}

/* Everything in a reader's snapshot is on the disk, so the answer may contain the last stamp. Writers
 * do not read `told`, because real readers record it later than here. */
inline give_out(time, seen)
{
    latest_server_time = MAX(latest_server_time, time);
    told = MAX(told, time);
    i = 1;
    do
    :: i < next_write ->
        if
        :: !(seen & BIT(i)) && stamps[i] != 0 && stamps[i] <= time -> must_not_appear = must_not_appear | BIT(i)
        :: else
        fi;
        i++
    :: else -> break
    od
}

inline take_snapshot(time)
{
    read_visible();
    assert(!(visible & must_not_appear));
    assert(!(acknowledged & ~visible));
    assert(!(shown & ~visible));
    shown = shown | (visible & ~changes_nothing);
    read_last_stamp();
    time = MAX(time, before);
    give_out(time, visible);
    forget()
}

/* Sets the safe stamp below this write's stamp and any commit that can still be in the log. */
inline mark(me)
{
    if
    :: in_flight == 0 || !safe_is_of_this_boot ->
        if
        :: index_is_torn -> recover()
        :: else
        fi;
        read_visible();
        read_last_stamp();
        safe_stamp = before;
        before = 0;
        visible = 0;
        safe_is_of_this_boot = true
    :: else
    fi;
    if
#if !defined(OLD) && !defined(NO_KEEPING)
    :: in_flight != 0 && in_flight < writer_value[me]
#endif
    :: else -> in_flight = writer_value[me]
    fi
}

/* Returns a stamp above the last stamp in the database, in `before`. */
inline make_stamp(me)
{
    read_visible();
    read_last_stamp();
    before = MAX(before, writer_value[me]);
#ifndef NO_SERVED
    before = MAX(before, served);
#endif
    stamps[next_write] = before + 1;
    must_not_appear = must_not_appear | (latest_server_time > before -> BIT(next_write) : 0);
    writer_value[me] = next_write;
    next_write++
}

/* Begins a write. Data that a sync may not have covered is first written again. */
inline begin_write(me)
{
    if
    :: index_is_torn -> recover()
    :: else
    fi;
#ifndef NO_WRITING_AGAIN
    given_up = (inherited[me] != 0 -> 0 : given_up)
#endif
}

inline overwrite_failed(me)
{
    writer_value[me] = next_write;
    changes_nothing = changes_nothing | BIT(next_write);
    next_write++;
    writer_at[me] = stamped
}

/* Overwrites a place. The overwritten content may already have reached the disk. */
inline overwrite_place(place, content)
{
    if
    :: disk_log[place] != cache_log[place] -> disk_log[place] = cache_log[place]
    :: skip
    fi;
    cache_log[place] = content;
    given_up = given_up & ~BIT(place)
}

inline unlock(me)
{
    lock_owner = 0;
    writer_value[me] = 0;
    inherited[me] = 0;
    writer_at[me] = idle
}

proctype Writer(byte me)
{
    do
    :: d_step { power_left == 0 && writer_at[me] == closed && next_write <= WRITES -> open_database(writer_at[me]); sort_writers() }
    :: d_step { writer_at[me] == booting -> take_page_over(); writer_at[me] = idle; sort_writers() }
    :: d_step { writer_at[me] == idle && connections == 1 && !index_is_torn -> close_database(); writer_at[me] = closed; sort_writers() }
    :: d_step { writer_at[me] == idle && !index_is_torn && moved_count < index_count && MAY_CHECKPOINT -> checkpoint(); forget(); sort_writers() }
    :: atomic {
            writer_at[me] == idle && lock_owner == 0 && next_write <= WRITES ->
            lock_owner = me;
            if
            :: writer_value[me] = 1
            :: writer_value[me] = 2
#if CLOCK_MAX > 2
            :: writer_value[me] = 3
#endif
            fi;
            inherited[me] = in_flight;
            mark(me);
            writer_at[me] = marked;
            sort_writers()
        }
    /* Rolls back. Pages that did not fit into memory can be in the log. */
    :: atomic {
            writer_at[me] == marked ->
            if
            :: index_count > 0 && cache_log[index_count + 1] != 0 -> overwrite_place(index_count + 1, 0)
            :: skip
            fi;
#if defined(OLD) || defined(CLEAR_ALWAYS)
            in_flight = 0;
#else
            in_flight = inherited[me];
#endif
            unlock(me);
            forget();
            sort_writers()
        }
    :: d_step {
            writer_at[me] == marked && next_write <= WRITES ->
            begin_write(me);
            make_stamp(me);
            writer_at[me] = stamped;
            forget();
            sort_writers()
        }
    /* COMMIT. If the whole log is in the database, the log can restart. */
    :: d_step { writer_at[me] == stamped -> writer_at[me] = (index_count == 0 -> header : overwrite); sort_writers() }
    :: d_step {
            writer_at[me] == stamped && index_count > 0 && moved_count == index_count ->
            index_count = 0;
            moved_count = 0;
            index_header = HEADER(writer_value[me]);
            writer_at[me] = header;
            forget();
            sort_writers()
        }
    :: atomic {
            writer_at[me] == header ->
            index_header = HEADER(writer_value[me]);
            overwrite_place(0, index_header);
            writer_at[me] = header_sync;
            forget();
            sort_writers()
        }
    :: d_step { writer_at[me] == header_sync -> sync_log(); writer_at[me] = overwrite; forget(); sort_writers() }
    :: atomic { writer_at[me] == overwrite -> overwrite_place(index_count + 1, 0); writer_at[me] = frame; forget(); sort_writers() }
    :: d_step {
            writer_at[me] == frame ->
            cache_log[index_count + 1] = writer_value[me];
            previous[writer_value[me]] = (index_count == 0 -> index_header : cache_log[index_count]);
            writer_at[me] = sync;
            sort_writers()
        }
    :: d_step { writer_at[me] == sync -> sync_log(); writer_at[me] = publish; forget(); sort_writers() }
    :: d_step { writer_at[me] == publish -> index_is_torn = true; writer_at[me] = publish_rest; sort_writers() }
    :: d_step {
            writer_at[me] == publish_rest ->
            index_count++;
            index_is_torn = false;
            acknowledged = acknowledged | BIT(writer_value[me]);
            writer_at[me] = committed;
            sort_writers()
        }
    :: d_step { writer_at[me] == committed -> in_flight = 0; unlock(me); forget(); sort_writers() }
    /* A full or broken disk: written data stays for the next writer, or the write is repeated. */
    :: d_step {
            writer_at[me] == header_sync || writer_at[me] == frame || writer_at[me] == sync || writer_at[me] == publish ->
            if
            :: writer_at[me] == header_sync || writer_at[me] == sync -> fail_sync()
            :: else
            fi;
            writer_at[me] = failed;
            forget();
            sort_writers()
        }
    :: d_step {
            writer_at[me] == failed ->
#if defined(OLD) || defined(CLEAR_ALWAYS)
            in_flight = 0;
#endif
            unlock(me);
            forget();
            sort_writers()
        }
    /* A commit without changes, after a failed commit or by a settling program (with SETTLERS). */
    :: d_step {
            writer_at[me] == failed && next_write <= WRITES ->
            begin_write(me);
            overwrite_failed(me);
            forget();
            sort_writers()
        }
#ifdef SETTLERS
    :: d_step {
            writer_at[me] == idle && lock_owner == 0 && in_flight != 0 && next_write <= WRITES ->
            lock_owner = me;
            inherited[me] = in_flight;
            begin_write(me);
            overwrite_failed(me);
            forget();
            sort_writers()
        }
#endif
    :: d_step { /* killed */
            writer_at[me] != closed ->
            connections--;
            lock_owner = (lock_owner == me -> 0 : lock_owner);
            writer_value[me] = 0;
            inherited[me] = 0;
            writer_at[me] = closed;
            forget();
            sort_writers()
        }
    od
}

proctype Reader(byte me)
{
    do
    :: d_step { power_left == 0 && reader_at[me] == closed -> open_database(reader_at[me]); sort_readers() }
    :: d_step { reader_at[me] == booting -> take_page_over(); reader_at[me] = idle; sort_readers() }
    :: d_step { reader_at[me] == idle && connections == 1 && !index_is_torn -> close_database(); reader_at[me] = closed; sort_readers() }
    /* Reads the clock, raises the ceiling on the disk, and raises `served`. A reader that uses another
     * reader's ceiling could have raised the ceiling itself, and the order of these steps has no effect. */
    :: atomic {
            reader_at[me] == idle ->
            if
            :: reader_value[me] = 1
            :: reader_value[me] = 2
#if CLOCK_MAX > 2
            :: reader_value[me] = 3
#endif
            fi;
#ifndef NO_CEILING
            if
            :: reader_value[me] > durable_ceiling ->
                ceiling = MAX(ceiling, reader_value[me]);
                durable_ceiling = reader_value[me]
            :: else
            fi;
#endif
            served = MAX(served, reader_value[me]);
            reader_at[me] = look;
            sort_readers()
        }
#ifdef OLD
    :: d_step {
            reader_at[me] == look ->
            reader_at[me] = (in_flight != 0 && in_flight < reader_value[me] -> ask_lock : snapshot);
            sort_readers()
        }
    :: d_step {
            reader_at[me] == ask_lock ->
            reader_value[me] = (lock_owner != 0 && in_flight != 0 -> in_flight : reader_value[me]);
            reader_at[me] = snapshot;
            sort_readers()
        }
#else
    :: d_step {
            reader_at[me] == look ->
            reader_value[me] = (in_flight != 0 && in_flight < reader_value[me] -> in_flight : reader_value[me]);
#ifndef TOLD_LATE
            reader_value[me] = MAX(reader_value[me], told);
#endif
            reader_at[me] = (in_flight == 0 -> settled_snapshot : snapshot);
            sort_readers()
        }
#endif
    :: d_step {
            (reader_at[me] == snapshot || reader_at[me] == settled_snapshot) && (lock_owner == 0 || !index_is_torn) ->
            if
            :: index_is_torn -> recover()
            :: else
            fi;
            read_visible();
            read_last_stamp();
            if /* otherwise the reader can try again later */
#ifndef SHOW_ALWAYS
            :: reader_at[me] == snapshot && in_flight != 0 && safe_is_of_this_boot && before > safe_stamp
#endif
#ifdef TOLD_LATE
            :: else ->
                reader_seen[me] = visible;
                take_snapshot(reader_value[me]);
                reader_at[me] = late
#else
            :: else -> take_snapshot(reader_value[me])
#endif
            fi;
            before = 0;
            visible = 0;
            reader_value[me] = (reader_at[me] == late -> reader_value[me] : 0);
            reader_at[me] = (reader_at[me] == late -> late : idle);
            sort_readers()
        }
#ifdef TOLD_LATE
    :: d_step {
            reader_at[me] == late ->
            reader_value[me] = MAX(reader_value[me], told);
            give_out(reader_value[me], reader_seen[me]);
            reader_value[me] = 0;
            reader_seen[me] = 0;
            reader_at[me] = idle;
            forget();
            sort_readers()
        }
#endif
    :: d_step { /* killed */
            reader_at[me] != closed ->
            connections--;
            reader_value[me] = 0;
            reader_at[me] = closed;
            forget();
            sort_readers()
        }
    od
}

/* Decides whether an unsynced part of the log is on the disk. */
inline settle_place(place)
{
    if
    :: cache_log[place] == disk_log[place]
    :: cache_log[place] != disk_log[place] -> disk_log[place] = cache_log[place]
    :: cache_log[place] != disk_log[place] -> cache_log[place] = disk_log[place]
    :: cache_log[place] != 0 && disk_log[place] != 0 && cache_log[place] != disk_log[place] ->
        cache_log[place] = 0;
        disk_log[place] = 0
    fi
}

/* `served` only helps, so the worst case is that the disk lacks it. The ceiling is always on the
 * disk, see Reader. */
inline everything_ends()
{
    lock_owner = 0;
    connections = 0;
    served = 0;
    told = 0;
    durable_ceiling = 0;
    safe_stamp = 0;
    safe_is_of_this_boot = false;
    page_is_old = true;
    index_is_torn = false;
    index_count = 0;
    index_header = 0;
    moved_count = 0;
    given_up = 0;
    i = 1;
    do
    :: i <= 2 ->
        writer_at[i] = closed;
        writer_value[i] = 0;
        inherited[i] = 0;
        reader_at[i] = closed;
        reader_value[i] = 0;
        i++
    :: else -> break
    od;
    i = 0
}

proctype Power()
{
    do
    :: d_step { power_left == 0 && connections > 0 -> everything_ends(); power_left = WRITES + 1; forget() }
    :: atomic { power_left > 0 -> power_left--; settle_place(power_left); forget() }
    :: d_step { power_left == 1 && in_flight != 0 -> in_flight = 0 }
    od
}

init
{
    atomic {
        run Writer(1);
        run Writer(2);
        run Reader(1);
        run Reader(2);
        run Power()
    }
}
