/** What an outside PostgreSQL has to be and to give; `docs/operate.md` shows the same. */
export const DATABASE_NEEDS = `# A PostgreSQL of your own: FAIRWAY_DATABASE_URL

PostgreSQL 15 or newer, a database that is Fairway's alone, and a role that need not be a superuser.
As a superuser, once (another name or database will do):

  CREATE ROLE fairway LOGIN PASSWORD '...';
  CREATE DATABASE fairway OWNER fairway ENCODING 'UTF8' TEMPLATE template0;
  CREATE ROLE fairway_app NOLOGIN;
  CREATE ROLE fairway_system NOLOGIN;
  CREATE ROLE fairway_partner NOLOGIN;
  GRANT fairway_app, fairway_system, fairway_partner TO fairway WITH ADMIN OPTION;

The three roles see what one organisation, everybody, or one partner may see (row-level security); each transaction
steps into one of them. A role with CREATEROLE makes them itself. They are of the whole server: two installations
there share them, and none sees the database of the other. Whatever is missing, the start says so, with the
statement that gives it.

The URL
  postgres://fairway:password@db1.example.com:5432/fairway?sslmode=verify-full&sslrootcert=/etc/ssl/db.pem
  Characters like / or @ in a password are written as %2F, %40. Over a socket: postgres://fairway@/fairway?host=/run/postgresql

  sslmode      disable (the default), verify-ca, verify-full, require (checks as verify-full does), no-verify
  sslrootcert  PEM file of the authority; without one those of the system. Read anew with each connection
  sslcert, sslkey   a certificate to show, and its key
  target_session_attrs  read-write or primary, which is meant anyway
  application_name      what pg_stat_activity shows

Several servers (Patroni and the like)
  postgres://fairway:password@db1,db2,db3/fairway?target_session_attrs=read-write
  The one that takes writes is used. When it has gone or follows another, the next one is looked for with the next
  call; a call that was under way ends with 503. A server that is silent for 0.8 s counts as gone;
  behind a pooler, where a call waits for its turn, for 5 s.

Replicas
  FAIRWAY_DATABASE_REPLICA_URLS=postgres://fairway:password@db2,db3/fairway
  Streaming replicas of that database, several URLs separated by commas, each with the same parameters as above; each
  host is one. PgBouncer may stand before them. Lists, charts, exports and the audit log are read from them, in turn;
  who somebody is and what they may do, and everything that writes, is asked of the server that takes writes.
  Nothing older than the call itself is shown: who asks is asked of that server, together with how far its log has
  come, and a replica answers when it has replayed as much, which is waited for 100 ms at most. Else, and when a replica
  is silent for half a second, breaks off or was promoted, the server that takes writes answers; the replica is asked
  again when it is well. The list may name all servers: the one that takes writes is passed over.
  Keep them near, with hot_standby_feedback = on where reads are long. After another server has become the one that
  takes writes they are asked again within checkpoint_timeout, or at once with: GRANT pg_read_all_stats TO fairway;
  ./fairway doctor says what is wrong with each.

PgBouncer
  In transaction mode FAIRWAY_DATABASE_URL may name it. Notifications, migrations, backups and the election among
  workers hold a session: FAIRWAY_DATABASE_DIRECT_URL names PostgreSQL itself for them (one connection for each API,
  two for each worker, one for each of several collectors). Statements are not prepared by name, and every setting is
  one of its transaction.

Connections
  Each API has at most 16 and 3, each worker 4 and 3, each media role 4 and 3, beside the direct ones;
  each API has 9 to each replica.

More machines
  Any number of API, worker and collector processes share one database; several collectors share an event store too,
  and FAIRWAY_COLLECTORS names them. Each machine needs the same <home>/secrets as the first (copy the folder before
  its first start), the same FAIRWAY_NODE_TOKEN when that is set, and the same settings.
  Work is shared by leases on rows, by the clock of the database; what only one may do is done by the worker that is
  elected, and by another at most 4 s after that one has gone.

Backups
  ./fairway backup reads as that role. It says so when a policy would hide rows from it.
`
