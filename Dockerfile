# One image for web, worker, beat, migrate and backup; docker-compose.yml names the command of each.
#
# Its size, measured: 310 MB unpacked beside its base: 220 MB of packages, 31 MB of the program, 59 MB of PostgreSQL's
# client with what it needs; a third of packages and program is what Python has compiled of them. The base is 153 MB
# where this was measured: Debian 13 and Python 3.11 put together like python:3.11-slim-trixie, which could not be had.
FROM python:3.11-slim-trixie AS packages

WORKDIR /srv/genius
COPY requirements-uv.lock requirements.lock ./
# Compiled here, since the site may not write there: each process and each check would compile everything it imports.
RUN python -m venv --without-pip /venv \
 && pip install --no-cache-dir --require-hashes -r requirements-uv.lock \
 && uv pip install --no-cache --compile-bytecode --python /venv/bin/python --require-hashes -r requirements.lock

FROM python:3.11-slim-trixie

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PATH="/venv/bin:$PATH"
WORKDIR /srv/genius

# pg_dump and pg_restore must be as new as the server of docker-compose.yml.
RUN apt-get update \
 && apt-get install -y --no-install-recommends postgresql-client-17 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=packages /venv /venv
COPY . .
# Collecting static files needs settings but no real secrets: these values are used only in this line.
RUN SECRET_KEY=only-for-collectstatic-only-for-collectstatic SITE_URL=https://build.invalid EMAIL_URL=dummy:// \
    python manage.py collectstatic --no-input --verbosity 0 \
 && python -m compileall -q -j 0 . \
 && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin genius \
 && install -d -o genius -g genius /data /backups
ENV DATA_DIR=/data
# A number, so that what must not run as root sees that this does not.
USER 10001
EXPOSE 8000
# Of the web process; docker-compose.yml has those of the others.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["daphne", "-v", "0", "-b", "0.0.0.0", "-p", "8000", "--server-name", "genius", "genius_site.asgi:application"]
