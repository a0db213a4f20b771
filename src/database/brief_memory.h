/* Memory for SQLite in a process that ends with its one request. */
#ifndef QSOSYNC_DATABASE_BRIEF_MEMORY_H
#define QSOSYNC_DATABASE_BRIEF_MEMORY_H

/* Has SQLite take its memory from here, and none in advance. Counts only before SQLite's first use
 * in the process, and for all of its connections. */
void brief_memory_use(void);

#endif
