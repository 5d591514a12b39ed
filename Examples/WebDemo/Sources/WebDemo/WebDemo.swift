import Foundation

/// A page that asks wallets for credentials with OpenID4VP and with IRMA, and shows what was verified.
///
/// usage: WebDemo [--port PORT] [--listen ADDRESS]
@main
enum WebDemo {
    static func main() async {
        do {
            try await DemoServer(Settings(CommandLine.arguments.dropFirst())).run()
        } catch {
            FileHandle.standardError.write(Data("WebDemo: \(error)\n".utf8))
            exit(2)
        }
    }
}

/// The settings of the command line.
struct Settings {
    /// The port of the page; 0 for any.
    var port: UInt16 = 8480
    /// The address that the page and the wallets' endpoints are at.
    var address = "127.0.0.1"

    /// A command line that the program does not take.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the arguments.
    init(_ arguments: some Sequence<String>) throws {
        var rest = arguments.makeIterator()
        while let name = rest.next() {
            guard let value = rest.next() else { throw Fault(description: "\(name) has no value") }
            switch name {
            case "--port":
                guard let port = UInt16(value) else { throw Fault(description: "\(value) is no port") }
                self.port = port
            case "--listen": address = value
            default: throw Fault(description: "unknown option \(name); there are --port and --listen")
            }
        }
    }
}
