import Foundation

/// The main job in one go: an issuer, a wallet and a verifier, with ISO/IEC 18013-5 documents, an SD-JWT VC and Idemix.
///
/// The argument is the folder with the figures of the standard's Annex D.
@main
enum Demo {
    static func main() async {
        guard let folder = CommandLine.arguments.dropFirst().first else {
            print("usage: Demo FOLDER-WITH-ANNEX-D-FIGURES")
            exit(2)
        }
        do {
            try await PrintedExample(folder: URL(fileURLWithPath: folder)).verify()
            let presentation = try await OwnPresentation.make()
            try await presentation.verify()
            try await presentation.verifyTampered()
            try await SDJWTPresentation.run()
            try IdemixPresentation.run()
        } catch {
            print("the demo could not go on: \(error)")
            exit(1)
        }
    }
}
