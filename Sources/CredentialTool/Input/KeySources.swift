import CommandSupport
import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit

/// The keys of issuers by the options of the command line: one that is named, or those whose certificates lead to an anchor.
struct IssuerKeys: IssuerKeyResolver {
    private let key: JWSKey?
    private let certificates: X509IssuerKeys

    init(key: JWSKey?, anchors: [Certificate]) {
        self.key = key
        certificates = X509IssuerKeys(anchors: anchors, nameRule: .notCompared)
    }

    func key(for header: JOSEHeader, issuer: String?, at time: Date) throws(SDJWTError) -> IssuerKey {
        if let key { return IssuerKey(key) }
        return try certificates.key(for: header, issuer: issuer, at: time)
    }
}

/// The DIDs that are keys, and those whose documents are at hand.
struct LocalDocuments: DIDResolver {
    private let documents: [DID: DIDDocument]

    init(_ files: [InputFile]) throws {
        var documents: [DID: DIDDocument] = [:]
        for file in files {
            let members = try file.jsonObject()
            let document = try file.reading("DID document") {
                try DIDDocument(json: members, of: DID(members["id"]?.stringValue ?? ""))
            }
            documents[document.id] = document
        }
        self.documents = documents
    }

    func document(of did: DID, at time: Date) async throws(DIDError) -> DIDDocument {
        if let document = documents[did] { return document }
        return try await DIDMethods.local.document(of: did, at: time)
    }
}

/// The network, in builds that have a client for it.
enum Network {
    /// The client, which contacts no private address and follows no redirect.
    ///
    /// - Parameters:
    ///   - isDevelopment: Also allows this machine and private networks, any port, and plain HTTP.
    ///   - files: The files of authorities that vouch for servers, beside the system's.
    ///   - setting: The name of the setting of these files, for errors.
    /// - Throws: `ToolError` in a build without the trait `Client`, for a malformed proxy in the environment, and for files
    ///   without certificates.
    static func transport(
        isDevelopment: Bool = false,
        trusting files: [InputFile] = [],
        of setting: String = "--ca-file"
    ) throws(ToolError) -> any HTTPTransport {
        #if Client
        try GuardedHTTPTransport.ofCommand(
            isDevelopment ? .development : AddressGuard(),
            trusting: files,
            of: setting
        )
        #else
        throw ToolError(
            "this build reaches no network: build it with --traits default,Client, or name a file with --status"
        )
        #endif
    }
}

extension AddressGuard {
    /// Hosts of this machine and of private networks, with or without TLS.
    fileprivate static let development = AddressGuard(
        allowing: [.loopback, .privateUse, .uniqueLocal, .linkLocal, .sharedAddressSpace],
        literalAddresses: true,
        plainHTTP: true,
        ports: .any
    )
}
