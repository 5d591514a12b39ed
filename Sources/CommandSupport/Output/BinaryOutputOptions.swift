package import ArgumentParser

/// The output form of a command's bytes.
package struct BinaryOutputOptions: ParsableArguments {
    /// The text forms.
    package enum Form: String, ExpressibleByArgument, CaseIterable {
        case base64url
        case hex
    }

    package init() {}

    @Option(name: .long, help: "The text form of the output.")
    package var format = Form.base64url

    @OptionGroup package var outputOptions: OutputOptions

    /// Prints a structure on standard output: its bytes alone, or in JSON with its name and what form they have.
    package func print(_ bytes: some Collection<UInt8>, as kind: String) {
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
