#if Server
/// Strikes text that looks like a secret out of a sentence: the second line of defense behind the keys of metadata.
///
/// It strikes out the paths, queries and user information of URLs, the word after an authorization scheme or a name
/// such as `token=`, and any run of 16 or more characters that has the mixture of a token.
enum SecretScrubber {
    static func scrubbed(_ text: String) -> String {
        var output = ""
        var word = ""
        var strikes = 0
        for character in text {
            if isSeparator(character) {
                finish(&word, into: &output, &strikes)
                output.append(character)
            } else {
                word.append(character)
            }
        }
        finish(&word, into: &output, &strikes)
        return output
    }

    private static func isSeparator(_ character: Character) -> Bool {
        character.isWhitespace || "\"'`,;()[]{}<>|".contains(character)
    }

    /// The text with its runs of token characters struck out where they look like tokens.
    static func withoutTokens(_ text: String) -> String { runs(of: text) }

    /// Writes a word, or strikes it out if one of the words before says so.
    private static func finish(_ word: inout String, into output: inout String, _ strikes: inout Int) {
        guard !word.isEmpty else { return }
        defer { word = "" }
        if isScheme(word) {
            strikes = 1
            output += word
        } else if strikes > 0 {
            strikes -= 1
            output += redactedText
        } else if endsInSecretName(word) {
            // After a field for credentials, a scheme that is not known here may come before the credentials.
            strikes = word.lowercased().hasSuffix("authorization:") ? 2 : 1
            output += word
        } else {
            output += shown(word)
        }
    }

    /// An authorization scheme as fields spell it, after which the credentials come (RFC 9110 section 11.4).
    private static func isScheme(_ word: String) -> Bool {
        ["Bearer", "bearer", "Basic", "DPoP"].contains(word)
    }

    /// A name with a colon or an equals sign at its end, such as `authorization:`.
    private static func endsInSecretName(_ word: String) -> Bool {
        guard let last = word.last, last == ":" || last == "=" else { return false }
        return isSecretName(word.dropLast())
    }

    private static func isSecretName(_ name: Substring) -> Bool {
        let name = name.lowercased()
        return [
            "authorization", "cookie", "token", "secret", "password", "apikey", "api-key", "api_key", "nonce", "code",
        ]
        .contains { name.hasSuffix($0) }
    }

    private static func shown(_ word: String) -> String {
        if let scheme = word.firstRange(of: "://") { return url(word, scheme) }
        if word.hasPrefix("/"), word.dropFirst().contains("/") || word.contains("?") { return path(word) }
        if let sign = word.firstIndex(where: { $0 == "=" || $0 == ":" }), isSecretName(word[..<sign]) {
            return runs(of: String(word[..<sign])) + String(word[sign]) + redactedText
        }
        return runs(of: word)
    }

    /// The scheme and the host of a URL.
    private static func url(_ word: String, _ scheme: Range<String.Index>) -> String {
        let rest = word[scheme.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        let host = authority.lastIndex(of: "@").map { redactedText + authority[$0...] } ?? String(authority)
        let isWhole = end == rest.endIndex || rest[end...] == "/"
        return word[..<scheme.upperBound] + host + (isWhole ? rest[end...] : "/" + redactedText)
    }

    /// A path without its query, and without segments that look like tokens.
    private static func path(_ word: String) -> String {
        let end = word.firstIndex { "?#".contains($0) } ?? word.endIndex
        let segments = word[..<end].split(separator: "/", omittingEmptySubsequences: false)
        return segments.map { runs(of: String($0)) }.joined(separator: "/")
            + (end == word.endIndex ? "" : "?" + redactedText)
    }

    /// The word with its runs of token characters struck out where they look like tokens.
    private static func runs(of word: String) -> String {
        var output = ""
        var run = ""
        for character in word {
            if isTokenCharacter(character) {
                run.append(character)
            } else {
                output += looksLikeToken(run) ? redactedText : run
                output.append(character)
                run = ""
            }
        }
        return output + (looksLikeToken(run) ? redactedText : run)
    }

    private static func isTokenCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber) || "-_+=~%".contains(character)
    }

    /// At least 16 characters with a digit and a letter, or at least 16 that change case as no word does, or at least
    /// 40.
    private static func looksLikeToken(_ run: String) -> Bool {
        guard run.count >= 16 else { return false }
        if run.count >= 40 { return true }
        let hasLetter = run.contains { $0.isLetter }
        let hasDigit = run.contains { $0.isNumber }
        if hasLetter && hasDigit || !hasLetter { return true }
        let capitals = run.filter(\.isUppercase).count
        return capitals * 4 > run.count
    }
}
#endif
