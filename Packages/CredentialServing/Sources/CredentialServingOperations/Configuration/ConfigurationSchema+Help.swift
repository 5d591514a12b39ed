#if Server
extension ConfigurationSchema {
    /// The text of `--help`: every key with its flags, type, bounds, default, variable and help.
    ///
    /// - Parameters:
    ///   - program: The command, such as `irma server`.
    ///   - summary: A sentence on what the command does.
    ///   - folders: The folders that are searched for the file.
    public func helpText(program: String, summary: String, folders: [String] = ["."]) -> String {
        let endings = ConfigurationFormat.allCases.flatMap(\.fileExtensions).joined(separator: "|")
        var lines = [
            summary, "",
            "usage: \(program) [flags]", "",
            "Flags override environment variables, which override the file.",
            "The file is \(name).{\(endings)} in the first of \(folders.joined(separator: ", ")) that has one.",
            "",
            "  -h, --help",
            "        Prints this text.",
            letters["c"] == nil ? "  -c, --config <file>" : "      --config <file>",
            "        File to read instead of searching for one. (\(variablePrefix)CONFIG)",
        ]
        for declaration in declarations where !declaration.isNamed { lines += self.lines(for: declaration) }
        for root in roots.sorted() { lines += self.lines(forTable: root) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(for declaration: ConfigurationDeclaration) -> [String] {
        let short = declaration.letter.map { "-\($0), " } ?? "    "
        let flag = "  \(short)\(flagName(declaration.name)) \(declaration.placeholder)".trimmingEnd()
        return [flag] + details(of: declaration, variable: variableName(of: declaration))
    }

    private func details(of declaration: ConfigurationDeclaration, variable: String?) -> [String] {
        var facts: [String] = []
        if declaration.isRequired { facts.append("required") }
        if let value = declaration.defaultText { facts.append("default: \(value)") }
        if let bounds = declaration.boundsText { facts.append(bounds) }
        if declaration.isSecret { facts.append("secret") }
        if let variable { facts.append(variable) }
        var lines = Self.wrapped(declaration.help + (facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"))
        if declaration.hasFileForm, let variable {
            lines += Self.wrapped(
                "\(flagName(declaration.name))-file <file> names a file that holds the value. (\(variable)_FILE)"
            )
        } else if declaration.hasFileForm {
            lines += Self.wrapped("\((declaration.path.last ?? "") + "_file") names a file that holds the value.")
        }
        if !declaration.aliases.isEmpty {
            let names = declaration.aliases.map { $0.joined(separator: ".") }.joined(separator: ", ")
            lines += Self.wrapped("Also called \(names).")
        }
        return lines
    }

    /// The flag of a table with names of the operator's choice, and its keys.
    private func lines(forTable root: String) -> [String] {
        let members = declarations.filter { $0.isNamed && normalized($0.fixedPath) == root }
        var lines = ["      \(flagName(root)) <JSON>"]
        lines += Self.wrapped("Table, as a JSON object. (\(variablePrefix)\(root.uppercased()))")
        for member in members {
            lines.append(
                "        \(member.path.map { $0 == "*" ? "<name>" : $0 }.joined(separator: ".")) \(member.placeholder)"
                    .trimmingEnd()
            )
            lines += details(of: member, variable: nil).map { "  " + $0 }
        }
        return lines
    }

    /// The text in lines of at most 100 columns, indented.
    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var line = "       "
        for word in text.split(separator: " ") {
            if line.count + word.count + 1 > 100, line.contains(where: { $0 != " " }) {
                lines.append(line)
                line = "       "
            }
            line += " " + word
        }
        return lines + [line]
    }
}

extension String {
    fileprivate func trimmingEnd() -> String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
#endif
