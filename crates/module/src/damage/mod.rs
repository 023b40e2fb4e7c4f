//! Finds the declarations of a file that its syntax errors put in doubt.
//!
//! `native` and `json` read the damage of a file, one for each syntax, and add to the [`Doubt`](crate::model::doubt::Doubt) of the module:
//! objects whose blocks are damaged, and declarations that unreadable text may contain. For the latter, `unreadable_text` reads damage
//! outside of blocks; `lost_name`, `joined_text` and `damaged_condition` read broken items inside of blocks; `continued_block` tells a body
//! without a header from the rest of a block; `layout` reads the indentation of lines. Blocks with wrong headers have been read; decoding
//! finds them (`decode::broken_header`), because the override files that it reads afterwards may refer to their names.

mod continued_block;
mod damaged_condition;
mod joined_text;
pub(crate) mod json;
mod layout;
mod lost_name;
pub(crate) mod native;
mod unreadable_text;
