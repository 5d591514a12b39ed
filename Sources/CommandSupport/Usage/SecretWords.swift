/// The words of a command line that no message shows.
///
/// A message about a command line repeats words of it. A private key that a shell has cut at its spaces is several words, and
/// one after a misspelt option is taken for an option.
struct SecretWords {
    private static let substitute = "<withheld>"
    /// The beginning of text in PEM; the words behind it may be parts of it.
    private static let mark = "-----BEGIN"
    /// The least length of a word that no other text of a message has by chance.
    private static let longLength = 16

    /// Whole words and values.
    private let words: Set<String>

    /// Finds the words behind the first option with a secret, and all from the beginning of a text in PEM on.
    ///
    /// - Parameters:
    ///   - arguments: The words of the command line.
    ///   - options: The options whose value is a secret.
    init(in arguments: [String], of options: Set<String>) {
        var words: Set<String> = []
        var (isInKey, isValue, isBehindOption) = (false, false, false)
        for word in arguments {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            isInKey = isInKey || word.contains(Self.mark)
            if isInKey || isValue || isBehindOption && !word.hasPrefix("-") { words.formUnion([word] + parts) }
            isValue = options.contains(parts[0]) && parts.count == 1
            guard options.contains(parts[0]) else { continue }
            isBehindOption = true
            words.formUnion(parts.dropFirst())
        }
        self.words = words.filter { !$0.isEmpty }
    }

    /// A message without the words: the long ones wherever they are, the others in quotation marks, as most messages have them.
    func withheld(from message: String) -> String {
        // The longest first: one word may be a part of another.
        words.sorted { $0.utf8.count > $1.utf8.count }.reduce(message) { message, word in
            word.utf8.count < Self.longLength
                ? message.replacing("'\(word)'", with: "'\(Self.substitute)'")
                : message.replacing(word, with: Self.substitute)
        }
    }
}
