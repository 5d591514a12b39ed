public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A scheme whose index is made and not yet signed.
public struct UnsignedIRMAScheme: Sendable {
    /// The bytes to sign: the index.
    public var bytesToSign: [UInt8] { index.encodedBytes }

    private let scheme: SchemeIdentifier
    private let files: [SchemePath: [UInt8]]
    private let logos: [SchemePath: [UInt8]]
    private let index: SchemeIndex

    /// Lays out a scheme: stamps the time, and makes the index of the files that belong in it.
    ///
    /// In a scheme of issuers those are descriptions, keys and pictures (`.xml`, `.png`) and `kss-*.pem`, in a scheme of
    /// requestors `.json`, while logos go along outside of it; private keys (`PrivateKeys`), proofs of keys and all other files stay out.
    ///
    /// - Parameters:
    ///   - source: The files of the scheme.
    ///   - time: The time of the signature.
    /// - Throws: ``IRMAError/Code/invalidScheme`` for a text file with lines in the manner of Windows,
    ///   ``IRMAError/Code/invalidPath``.
    public init(_ source: SchemeFiles, at time: Date) throws(IRMAError) {
        let isRequestorScheme = source.files[RequestorScheme.descriptionPath] != nil
        var files: [SchemePath: [UInt8]] = [:]
        for (path, bytes) in source.files {
            let path = try SchemePath(checking: path.text)
            guard Self.isIndexed(path, isRequestorScheme: isRequestorScheme) else { continue }
            guard path.text.hasSuffix(".png") || !bytes.contains(UInt8(ascii: "\r")) else {
                throw IRMAError(.invalidScheme, "the file has carriage returns", path: [path.text])
            }
            files[path] = bytes
        }
        let seconds = Int64(max(0, min(9e15, time.timeIntervalSince1970.rounded(.down))))
        files[.timestamp] = Array("\(seconds)\n".utf8)
        scheme = source.scheme
        self.files = files
        logos = isRequestorScheme ? source.files.filter { $0.key.logoDigest != nil } : [:]
        index = SchemeIndex(of: files, in: scheme)
    }

    /// Returns `true` for a file that belongs in the index of a scheme, beside its timestamp.
    static func isIndexed(_ path: SchemePath, isRequestorScheme: Bool) -> Bool {
        guard !isRequestorScheme else { return path.text.hasSuffix(".json") }
        let parts = path.parts
        guard !parts.contains("PrivateKeys"), !parts.contains("Proofs") else { return false }
        if parts.count == 1, path.text.hasPrefix("kss-"), path.text.hasSuffix(".pem") { return true }
        return path.text.hasSuffix(".xml") || path.text.hasSuffix(".png")
    }

    /// The scheme with its signature.
    ///
    /// - Parameters:
    ///   - signature: The signature over ``bytesToSign``, r‖s.
    ///   - key: The public key of the scheme.
    /// - Throws: ``IRMAError/Code/signingFailed`` for a signature that does not verify.
    public func completed(with signature: [UInt8], by key: PublicKey) throws(IRMAError) -> VerifiedSchemeFiles {
        var files = files.merging(logos) { file, _ in file }
        files[.index] = index.encodedBytes
        do {
            files[.signature] = try ECDSASignature(rawRepresentation: signature, curve: .p256).derRepresentation
        } catch {
            throw IRMAError(.signingFailed, "the signature is not r and s", cause: error)
        }
        do throws(IRMAError) {
            return try SchemeFiles(scheme: scheme, files: files).verified(by: key)
        } catch {
            throw error.code == .invalidSchemeSignature
                ? IRMAError(.signingFailed, "the signature does not verify", cause: error) : error
        }
    }
}

extension SchemeFiles {
    /// Lays out and signs the scheme.
    ///
    /// - Parameters:
    ///   - signer: The scheme's key: ECDSA on P-256.
    ///   - time: The time of the signature.
    /// - Throws: The errors of ``UnsignedIRMAScheme``; ``IRMAError/Code/signingFailed``.
    public func signed(with signer: any Signer, at time: Date) async throws(IRMAError) -> VerifiedSchemeFiles {
        let unsigned = try UnsignedIRMAScheme(self, at: time)
        let signature: [UInt8]
        do {
            signature = try await signer.signature(for: unsigned.bytesToSign)
        } catch {
            throw IRMAError(.signingFailed, "the signer gave no signature", cause: error)
        }
        return try unsigned.completed(with: signature, by: signer.publicKey)
    }
}
