import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import IRMAMessages

/// `irma scheme sign`: makes the index of a scheme, and signs it.
struct SchemeSignCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Signs a scheme.",
        discussion: """
            The scheme's folder gets a timestamp, an index, its signature and the public key. Nothing is written before the \
            signed scheme has been verified and read as a whole.
            """
    )

    @Argument(help: "The private key: ECDSA on P-256 in PEM.")
    var privateKey = InputFile(argument: "sk.pem")

    @Argument(help: "The folder of the scheme; by default the current one.")
    var path = "."

    @Flag(name: [.customShort("n"), .customLong("noverification")], help: "Sign a scheme that cannot be read.")
    var skipsReading = false

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let folder = SchemeFolder.absolute(path)
        guard SchemeFolder.isScheme(folder.path) else {
            throw ToolError("\(path.escapedForDisplay(backslash: true)) is no scheme")
        }
        let signer = try SoftwareSigner(try await SchemeKey.read(privateKey))
        let files = try Self.files(in: folder)
        let signed: VerifiedSchemeFiles
        do {
            signed = try await SchemeFiles(described: files).signed(with: signer, at: Console.current.now())
            if !skipsReading { try Self.read(signed) }
        } catch {
            throw ToolError("the scheme cannot be signed: \(error)")
        }
        let stored = signed.stored.files
        for path in [SchemePath.timestamp, .index, .signature, .publicKey] {
            guard let bytes = stored[path] else { continue }
            let file = OutputFile(path: folder.appendingPathComponent(path.text).path)
            try file.write(bytes, mode: 0o644, replacing: true)
        }
        return Outcome(
            report: .fields([
                "scheme": .text(signed.scheme.text), "signed": .text(signed.time.utcText),
                "files": .number(signed.index.digests.count),
            ])
        )
    }

    private static func read(_ files: VerifiedSchemeFiles) throws {
        if files.files[RequestorScheme.descriptionPath] != nil {
            _ = try RequestorScheme(files)
        } else {
            let scheme = try IRMAScheme(files)
            try scheme.readAllKeys()
            try scheme.checkNewestKeys()
            for warning in scheme.keyWarnings(at: Console.current.now()) {
                Console.current.error("Warning: \(warning)")
            }
        }
    }

    /// The files below a folder, without those that begin with a dot.
    private static func files(in folder: URL) throws(ToolError) -> [SchemePath: [UInt8]] {
        do {
            var files: [SchemePath: [UInt8]] = [:]
            var size = 0
            for text in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                let url = folder.appendingPathComponent(text)
                var isFolder = false
                guard !text.split(separator: "/").contains(where: { $0.hasPrefix(".") }),
                    FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder,
                    let path = try? SchemePath(checking: text)
                else { continue }
                let bytes = [UInt8](try Data(contentsOf: url))
                size += bytes.count
                guard size <= SchemeLimits.default.totalSize else {
                    throw ToolError("the files have more than \(SchemeLimits.default.totalSize) bytes")
                }
                files[path] = bytes
            }
            return files
        } catch let error as ToolError {
            throw error
        } catch {
            throw ToolError("cannot read the scheme: \(error)")
        }
    }
}

/// `irma scheme keygen`: makes the key pair of a scheme.
struct SchemeKeygenCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Generates the key pair of a scheme: ECDSA on P-256.",
        discussion: "Existing files are never replaced. The private key is readable by its owner only."
    )

    @Option(name: [.customShort("s"), .customLong("privatekey")], help: "The file for the private key.")
    var privateKey = "sk.pem"

    @Option(name: [.customShort("p"), .customLong("publickey")], help: "The file for the public key.")
    var publicKey = "pk.pem"

    @Flag(name: .long, help: "Ask for a passphrase that seals the private key.")
    var pass = false

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let files = (
            private: OutputFile(path: privateKey, replacedBy: nil),
            public: OutputFile(path: publicKey, replacedBy: nil)
        )
        try files.private.requireAbsence()
        try files.public.requireAbsence()
        let passphrase = pass ? try await SchemeKey.newPassphrase() : nil
        let key = try PrivateKey.generate(.p256)
        try SchemeKey.write(key, to: files.private, passphrase: passphrase)
        try files.public.write(Data(key.publicKey.pem.utf8), mode: 0o644, replacing: false)
        return Outcome(
            report: .fields(["private key": .verbatim(privateKey), "public key": .verbatim(publicKey)])
        )
    }
}
