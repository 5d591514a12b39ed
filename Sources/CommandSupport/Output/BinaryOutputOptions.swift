import ArgumentParser

/// The output form of a command's bytes.
struct BinaryOutputOptions: ParsableArguments {
    /// The text forms.
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case base64url
        case hex
    }

    @Option(name: .long, help: "The text form of the output.")
    var format = Form.base64url

    @OptionGroup var outputOptions: OutputOptions

    /// Prints a structure on standard output: its bytes alone, or in JSON with its name and what form they have.
    func print(_ bytes: some Collection<UInt8>, as kind: String) {
        let text =
            switch format {
            case .base64url: bytes.base64URLText
            case .hex: bytes.hexText
            }
        guard outputOptions.json else { return Console.current.output(text) }
        let report = Outline.fields([
            "kind": .text(kind), "size": .number(bytes.count), "format": .text(format.rawValue), "value": .text(text),
        ])
        Console.current.output(report.json)
    }
}
