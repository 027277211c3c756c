"""The database: whether it is migrated, a temporary one in memory, and the rights of the running site on PostgreSQL."""

from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections, transaction
from django.db.backends.utils import CursorWrapper
from django.db.migrations.executor import MigrationExecutor
from psycopg import sql


def is_ready() -> bool:
    """Whether every migration has been applied. Creates no file. Raises Django's database errors."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and not (name.startswith((":memory:", "file:")) or Path(name).exists()):
        return False
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def use_temporary_database() -> None:
    """Let this process use a new database in memory. Its tables are made from the models, since running all migrations
    takes four seconds more."""
    connection.close()
    connections.settings["default"].update(settings.SQLITE, NAME=":memory:")
    del connections["default"]
    with connection.schema_editor() as editor:
        for model in apps.get_models():
            if not model._meta.proxy:
                editor.create_model(model)


# -- rights of the running site ----------------------------------------------------------------------------
# The rights of the running site on PostgreSQL if another role owns the tables (`OWNER_DATABASE_URL`).
# It reads and writes rows. It cannot make, change or empty tables, nor change or delete rows of logs and ledgers.
# `manage.py migrate` and `restore` grant these rights, for new tables as well.

ONLY_ADDED = ["matches_submission", "matches_ledgerentry", "seasons_seasonrow", "seasons_seasonentry"]
"""Logs and ledgers, whose rows can only be read and added."""
ONLY_READ = ["django_migrations"]


def give_rights() -> None:
    """Give the role of `DATABASE_URL` its rights, if this process is the owner and that is another role.

    A missing role is created with that URL's password. Raises `ImproperlyConfigured` if the owner may not do that, or
    if the role has further rights from elsewhere.
    """
    if settings.OWNER_DATABASE:
        give_to(settings.DATABASE["USER"], settings.DATABASE["PASSWORD"])


def give_to(role: str, password: str = "") -> None:
    """Give this role its rights in the default connection's database."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        if cursor.fetchone() is None:
            _make(cursor, role, password)
        cursor.execute("SELECT current_schema()")
        schema = str(cursor.fetchone()[0])
        for statement in _statements(role, schema):
            cursor.execute(statement)
        _check(cursor, role, schema)


def may_delete_matches() -> bool:
    """Whether this process may delete a match with its log, as only owners may."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_table_privilege(%s, 'DELETE')", [ONLY_ADDED[0]])
        return bool(cursor.fetchone()[0])


def _make(cursor: CursorWrapper, role: str, password: str) -> None:
    cursor.execute("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
    if not cursor.fetchone()[0]:
        raise ImproperlyConfigured(
            f"PostgreSQL has no role {role}, which DATABASE_URL names, and OWNER_DATABASE_URL may not create one; "
            f"as PostgreSQL's administrator run: createuser --pwprompt {role}"
        )
    make = sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role))
    if password:  # hashed here, so that the server's log does not show it
        hashed = cursor.connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256")
        make += sql.SQL(" PASSWORD {}").format(sql.Literal(hashed.decode()))
    cursor.execute(make)


def _statements(role: str, schema: str) -> list[sql.Composed]:
    names = {"role": sql.Identifier(role), "schema": sql.Identifier(schema)}
    tables = {
        "only_added": sql.SQL(", ").join(map(sql.Identifier, ONLY_ADDED)),
        "only_read": sql.SQL(", ").join(map(sql.Identifier, ONLY_READ)),
    }
    return [
        sql.SQL(statement).format(**names, **tables)
        for statement in (
            "REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC",
            "GRANT USAGE ON SCHEMA {schema} TO {role}",
            "REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {role}",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role}",
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {role}",
            "REVOKE UPDATE, DELETE ON {only_added} FROM {role}",
            "REVOKE INSERT, UPDATE, DELETE ON {only_read} FROM {role}",
        )
    ]


def _check(cursor: CursorWrapper, role: str, schema: str) -> None:
    """Raise `ImproperlyConfigured` if the role has more rights: as a superuser, an owner, or from another role."""
    cursor.execute(
        """
        SELECT rolsuper OR rolcreaterole OR rolcreatedb OR pg_has_role(rolname, current_user, 'MEMBER')
            OR has_schema_privilege(rolname, %s, 'CREATE') OR has_table_privilege(rolname, %s, 'UPDATE')
        FROM pg_roles WHERE rolname = %s
        """,
        [schema, ONLY_ADDED[0], role],
    )
    if cursor.fetchone()[0]:
        raise ImproperlyConfigured(
            f"the role {role} of DATABASE_URL may do more than read and write rows: it is a superuser, may make roles, "
            "databases or tables, or belongs to the owner; create one without these rights, with createuser"
        )
