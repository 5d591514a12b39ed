/// The settings of the reference's keyshare servers that this server has no part for.
public enum UnsupportedKeyshareSettings {
    /// The databases that accounts can lie in.
    private static let databases = ["memory", "sqlite", "postgres"]

    /// Refuses settings that ask for a database of another kind, by their names.
    ///
    /// Names are compared without regard to case, hyphens and underscores, as configuration files, flags and the environment
    /// write them. An empty value asks for nothing.
    ///
    /// - Parameter settings: The names and values, as text.
    /// - Throws: ``KeyshareServerError/Code-swift.struct/unsupportedSetting`` with the first such name as the path.
    public static func refuse(in settings: some Sequence<(name: String, value: String)>) throws(KeyshareServerError) {
        for (name, value) in settings
        where !value.isEmpty && normalized(name) == "dbtype" && !databases.contains(value.lowercased()) {
            let what = normalized(value).contains("mysql") ? "MySQL is not supported" : "unknown kind of database"
            throw KeyshareServerError(
                .unsupportedSetting,
                "\(what); there are \(databases.joined(separator: ", "))",
                path: [name]
            )
        }
    }

    private static func normalized(_ name: String) -> String {
        String(
            decoding: name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") },
            as: UTF8.self
        )
    }
}
