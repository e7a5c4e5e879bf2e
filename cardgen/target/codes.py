"""Diagnostic codes of exports."""

BAD_SERVICE = "CG541"
NOT_EXPORTABLE = "CG542"
UPLOAD_FAILED = "CG544"
