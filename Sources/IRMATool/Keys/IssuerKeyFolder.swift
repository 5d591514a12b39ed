import CommandSupport
import Foundation
import IdemixCore
import VerificationCore

/// The folder of an issuer in a scheme, with its keys and their proofs by number.
struct IssuerKeyFolder {
    private let folder: URL

    /// Takes a folder that there is.
    init(path: String) throws(ToolError) {
        folder = SchemeFolder.absolute(path)
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw ToolError("\(path.escapedForDisplay(backslash: true)) is not there")
        }
    }

    /// A kind of files.
    enum Kind: String {
        case publicKeys = "PublicKeys"
        case privateKeys = "PrivateKeys"
        case proofs = "Proofs"

        var suffix: String { self == .proofs ? ".json.gz" : ".xml" }
    }

    /// The path of the file with a number.
    func path(_ kind: Kind, _ counter: UInt) -> String {
        folder.appendingPathComponent("\(kind.rawValue)/\(counter)\(kind.suffix)").path
    }

    /// The numbers of a kind of files; there are none without their folder.
    func counters(_ kind: Kind) throws(ToolError) -> [UInt] {
        let path = folder.appendingPathComponent(kind.rawValue).path
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0.hasSuffix(kind.suffix) }.compactMap { UInt($0.dropLast(kind.suffix.count)) }
        } catch {
            throw ToolError("cannot read the issuer's \(kind.rawValue): \(error)")
        }
    }

    /// The largest number of a kind of files.
    ///
    /// - Throws: ``ToolError`` for a folder without any.
    func lastCounter(_ kind: Kind) throws(ToolError) -> UInt {
        guard let last = try counters(kind).max() else {
            throw ToolError("the issuer's folder \(kind.rawValue) has no files; name one, or its number")
        }
        return last
    }
}

extension IdemixIssuerKeyPair {
    /// Reads a key pair from two files in XML; the text of the private key is wiped.
    init(privateKey: InputFile, publicKey: InputFile) throws {
        var text = try privateKey.read()
        defer { _ = text.withUnsafeMutableBytes { $0.initializeMemory(as: UInt8.self, repeating: 0) } }
        let secret = try privateKey.reading("private key") { try IdemixIssuerPrivateKey(xml: text) }
        let publicBytes = try publicKey.read()
        let open = try publicKey.reading("public key") { try IdemixIssuerPublicKey(xml: publicBytes) }
        try self.init(publicKey: open, privateKey: secret)
    }
}
