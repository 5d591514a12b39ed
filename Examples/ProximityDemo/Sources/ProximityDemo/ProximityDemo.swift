import Credentials
import Foundation

/// A holder and a reader in two processes: ISO/IEC 18013-5 in proximity, over a socket instead of a radio.
///
/// usage: ProximityDemo holder FOLDER                  issues a licence to the holder, shows a QR code and presents
///        ProximityDemo reader FOLDER mdoc:…           asks for three elements and verifies what it gets
///
/// Beside the text of the QR code the two share a folder: the holder listens there, and leaves there the certificate of the
/// authority that the reader is to trust.
@main
enum ProximityDemo {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch Array(arguments) {
            case let words where words.first == "holder" && words.count == 2:
                try await Holder(folder: SharedFolder(path: words[1])).run()
            case let words where words.first == "reader" && words.count == 3:
                try await Reader(folder: SharedFolder(path: words[1])).run(engagement: words[2])
            default:
                print("usage: ProximityDemo holder FOLDER | reader FOLDER mdoc:…")
                exit(2)
            }
        } catch {
            print("the demo could not go on: \(error)")
            exit(1)
        }
    }
}
