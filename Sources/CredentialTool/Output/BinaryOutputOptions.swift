import ArgumentParser

/// How a command prints the bytes that it made.
struct BinaryOutputOptions: ParsableArguments {
    /// The text forms.
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case base64url
        case hex
    }

    @Option(name: .long, help: "The text form of the output.")
    var format = Form.base64url

    /// Prints bytes on standard output.
    func print(_ bytes: some Collection<UInt8>) {
        switch format {
        case .base64url: Console.current.output(bytes.base64URLText)
        case .hex: Console.current.output(bytes.hexText)
        }
    }
}
