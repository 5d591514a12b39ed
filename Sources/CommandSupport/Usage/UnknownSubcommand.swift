import ArgumentParser
import CryptoCore

/// An unknown subcommand on a command line.
struct UnknownSubcommand: CustomStringConvertible {
    /// The name of the group of commands, such as `credential mdoc`.
    private let group: String
    private let word: String
    /// The names of the group's commands.
    private let names: [String]

    /// Follows the words of a command line through the groups; nil if every group is followed by one of its commands.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var command = root
        var path = [root._commandName]
        for word in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, command.configuration.defaultSubcommand == nil, !word.hasPrefix("-"),
                word != "help"
            else { return nil }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                group = path.joined(separator: " ")
                self.word = word
                names = subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
                return
            }
            command = next
            path.append(word)
        }
        return nil
    }

    /// The message, with the most similar name if there is one, and every name.
    var description: String {
        let known = names.joined(separator: ", ")
        let unknown = "there is no command '\(word.escapedForDisplay())' in '\(group)'"
        guard let nearest else { return "\(unknown); there are: \(known)" }
        return "\(unknown); did you mean '\(group) \(nearest)'? There are: \(known)"
    }

    /// The name with the fewest differences from the word, if they are few enough for a typing error.
    private var nearest: String? {
        let near = names.map { (name: $0, distance: Self.distance(word, $0)) }.min { $0.distance < $1.distance }
        guard let near, near.distance <= max(2, near.name.count / 3) else { return nil }
        return near.name
    }

    /// The least number of characters to insert, remove or replace that makes one text of another; long texts are not compared.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.prefix(64)), Array(right.prefix(64)))
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let cost = character == right[column] ? diagonal : min(diagonal, row[column], row[column + 1]) + 1
                diagonal = row[column + 1]
                row[column + 1] = cost
            }
        }
        return row[right.count]
    }
}
