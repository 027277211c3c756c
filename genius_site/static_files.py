"""How files are kept that a browser may keep for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Each file under a name with its hash, also where a script imports another one."""

    support_js_module_import_aggregation = True
