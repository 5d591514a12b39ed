/// The version of the commands, which `--version` prints.
package enum CommandVersion {
    /// The version of the next release; the first one has not been made yet.
    package static let text = "0.1.0-unreleased"
}
