"""Storage of static files under names with a hash, so that browsers can cache them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Adds hashes to the names of files, including scripts that other scripts import."""

    support_js_module_import_aggregation = True
