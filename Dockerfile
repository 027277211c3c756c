# One image for web, worker, beat and migrate; docker-compose.yml names the command of each.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PATH="/venv/bin:$PATH"
WORKDIR /srv/genius

COPY requirements-uv.lock requirements.lock ./
RUN python -m venv /venv \
 && pip install --no-cache-dir --require-hashes -r requirements-uv.lock \
 && uv pip install --no-cache --python /venv/bin/python --require-hashes -r requirements.lock

COPY . .
# Collecting static files needs settings but no real secrets: these values are used only in this line.
RUN SECRET_KEY=only-for-collectstatic-only-for-collectstatic SITE_URL=https://build.invalid EMAIL_URL=dummy:// \
    python manage.py collectstatic --no-input --verbosity 0 \
 && useradd --system --uid 10001 genius \
 && install -d -o genius -g genius /data
ENV DATA_DIR=/data
USER genius
EXPOSE 8000
CMD ["python", "-m", "genius_site.web", "--host", "0.0.0.0", "--port", "8000"]
