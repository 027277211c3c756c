"""How files are kept that a browser may keep for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Each file under a name with its hash, also where a script imports another one."""

    support_js_module_import_aggregation = True
