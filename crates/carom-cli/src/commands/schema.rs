//! `carom schema`: the JSON schema of the model file.

/// The schema, for people's editors.
pub(crate) fn run() -> String {
    crate::json::text(&carom::file::schema::schema())
}
