#if Server
import CommandSupport
import CredentialServingOperations
import CryptoCore
import Foundation
import IRMAMessages

extension ServerSettings {
    /// The issuers of SD-JWT copies, or nil for none.
    ///
    /// - Parameter schemes: The schemes, which know the issuers.
    /// - Throws: ``ToolError`` for a folder that lacks its counterpart or cannot be read, and for a file of no known issuer,
    ///   without its counterpart, or that holds no key or certificates that fit.
    func copyIssuers(_ schemes: SchemeSnapshot) throws -> CertifiedCopyIssuers? {
        let (certificates, keys) = (ServerKeys.certificatesOfCopies, ServerKeys.keysOfCopies)
        let certificateFolder = try configuration.valueIfPresent(of: certificates) ?? ""
        let keyFolder = try configuration.valueIfPresent(of: keys) ?? ""
        guard !certificateFolder.isEmpty || !keyFolder.isEmpty else { return nil }
        guard !certificateFolder.isEmpty, !keyFolder.isEmpty else {
            throw ToolError("sdjwtvc: SD-JWT copies need a folder of certificates and one of keys")
        }
        let chainFiles = try Self.files(in: certificateFolder, of: certificates.declaration.name)
        let keyFiles = try Self.files(in: keyFolder, of: keys.declaration.name)
        var identities: [IssuerIdentifier: CertifiedCopyIssuers.Identity] = [:]
        for name in Set(chainFiles.keys).union(keyFiles.keys).sorted() {
            guard let chainFile = chainFiles[name] else {
                throw ToolError("\(certificates.declaration.name): there is no \(name), as in the folder of keys")
            }
            guard let keyFile = keyFiles[name] else {
                throw ToolError("\(keys.declaration.name): there is no \(name), as in the folder of certificates")
            }
            let issuer = IssuerIdentifier(String(name.dropLast(Self.suffix.count)))
            guard schemes.issuer(issuer) != nil else {
                throw ToolError("\(certificates.declaration.name): \(name) names no issuer of the schemes")
            }
            do {
                identities[issuer] = try CertifiedCopyIssuers.Identity(
                    certificates: try Self.text(of: chainFile),
                    key: try Self.text(of: keyFile)
                )
            } catch {
                throw ToolError("\(certificates.declaration.name): \(name): \(error)")
            }
        }
        return CertifiedCopyIssuers(identities: identities)
    }

    /// The end of the name of a file, before which the issuer stands.
    private static let suffix = ".pem"
    /// The largest file in bytes.
    private static let maximumFileSize = 1 << 20

    /// The files of a folder by name.
    private static func files(in folder: String, of key: String) throws(ToolError) -> [String: URL] {
        let url = URL(fileURLWithPath: folder, isDirectory: true)
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(suffix) }
            return Dictionary(uniqueKeysWithValues: names.map { ($0, url.appendingPathComponent($0)) })
        } catch {
            throw ToolError("\(key): the folder \(folder) cannot be read: \(error)")
        }
    }

    private static func text(of file: URL) throws -> String {
        String(decoding: try InputFile(argument: file.path).read(sizeLimit: maximumFileSize), as: UTF8.self)
    }
}

extension CertifiedCopyIssuers.Identity {
    /// An identity of texts in PEM.
    ///
    /// - Throws: ``ToolError``, and the errors of keys and certificates.
    fileprivate init(certificates: String, key: String) throws {
        chain = try Certificate.all(inPEM: certificates)
        guard let certificate = chain.first else { throw ToolError("no certificate") }
        signer = try SoftwareSigner(try PrivateKey(pem: key))
        guard try certificate.publicKey() == signer.publicKey else {
            throw ToolError("the key is not that of the first certificate")
        }
        guard let url = try certificate.subjectAlternativeName?.uris.first, url.hasPrefix("https://") else {
            throw ToolError("the certificate's first URI is no https URL, by which copies name their issuer")
        }
        if let reason = CopyCertificates.refusal(of: chain) {
            throw ToolError("wallets refuse copies with these certificates: \(reason)")
        }
        self.url = url
    }
}
#endif
