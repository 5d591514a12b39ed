/// Chooses among texts in several languages (RFC 4647, section 3.4).
enum LanguageChoice {
    /// The entry in the best preferred language, or the first entry if none matches.
    ///
    /// A preference is shortened until an entry matches, and then also matches more specific entries: for `de-AT` comes
    /// `de-AT`, then `de`, then `de-CH`.
    static func best<Entry>(of entries: [Entry], locale: (Entry) -> String, for languages: [String]) -> Entry? {
        let tags = entries.map { subtags(locale($0)) }
        for language in languages {
            var wanted = subtags(language)
            while !wanted.isEmpty {
                if let index = tags.firstIndex(of: wanted) { return entries[index] }
                wanted.removeLast()
                // A single letter only introduces what follows it.
                if wanted.last?.utf8.count == 1 { wanted.removeLast() }
            }
            let primary = subtags(language).prefix(1)
            if !primary.isEmpty, let index = tags.firstIndex(where: { $0.prefix(1) == primary }) {
                return entries[index]
            }
        }
        return entries.first
    }

    private static func subtags(_ tag: String) -> [String] {
        tag.lowercased().split(separator: "-").map(String.init)
    }
}
