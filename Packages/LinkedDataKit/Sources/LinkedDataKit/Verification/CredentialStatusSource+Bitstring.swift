public import CredentialTransport
public import JSONKit
public import StatusListKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out the status of credentials.
public protocol CredentialStatusSource: Sendable {
    /// The status that one statement of a credential leads to.
    ///
    /// - Parameters:
    ///   - statement: An object of `credentialStatus`.
    ///   - issuer: The issuer of the credential.
    ///   - time: The time.
    /// - Returns: The status, with the deviations met; unknown for a statement of a kind that the source does not know.
    func status(of statement: JSONObject, issuer: ExactText, at time: Date) async -> StatusFinding
}

/// The status of credentials with Bitstring Status List 1.0 or Status List 2021.
///
/// The credential of a list is verified as any other, by a ``W3CCredentialVerifier`` that the caller hands in. Its trust
/// is asked with the purpose ``W3CCredentialTrust/Purpose/signStatusLists``.
///
/// ```swift
/// let lists = BitstringStatusSource(transport: transport, verifier: W3CCredentialVerifier(trust: trust))
/// let verifier = W3CCredentialVerifier(trust: trust, statusSource: lists)
/// ```
///
/// A source without a network answers from the lists that the app has already:
///
/// ```swift
/// var snapshot = BitstringListSnapshot()
/// snapshot.insert(bytes, for: "https://issuer.example/lists/1")
/// let lists = BitstringStatusSource(transport: nil, snapshot: snapshot, verifier: W3CCredentialVerifier(trust: trust))
/// ```
public struct BitstringStatusSource: CredentialStatusSource {
    /// The client that fetches and keeps the lists, for loading, fetching ahead and storing them.
    public let client: BitstringStatusListClient

    /// Makes a source with a cache of its own.
    ///
    /// - Parameters:
    ///   - transport: Fetches lists; nil without a network.
    ///   - snapshot: The lists to use for those that cannot be fetched, and in place of fetched ones that were issued earlier.
    ///   - verifier: Verifies the credentials of lists. One that names a status itself is refused, unless the verifier
    ///     has a source for it or waives the check.
    ///   - listIssuers: The issuers that may speak about the credentials of another issuer, by that issuer. Each issuer
    ///     may speak about its own.
    ///   - limits: The limits for lists and their credentials.
    ///   - options: The options for fetching and caching lists.
    public init(
        transport: (any HTTPTransport)?,
        snapshot: BitstringListSnapshot = BitstringListSnapshot(),
        verifier: W3CCredentialVerifier,
        listIssuers: [ExactText: Set<ExactText>] = [:],
        limits: StatusListLimits = .default,
        options: StatusListClientOptions = .default
    ) {
        client = BitstringStatusListClient(
            transport: transport,
            snapshot: snapshot,
            verifier: ListCredentialVerifier(
                verifier: verifier.taking(documentSize: limits.tokenSize),
                listIssuers: listIssuers,
                limits: limits
            ),
            limits: limits,
            options: options
        )
    }

    /// The status that one statement of a credential leads to; unknown for a statement of another type.
    public func status(of statement: JSONObject, issuer: ExactText, at time: Date) async -> StatusFinding {
        do throws(StatusListError) {
            guard let entry = try BitstringStatusListEntry(json: statement) else {
                return .unknown("the statement names no bitstring status list")
            }
            return await client.status(for: entry, of: issuer, at: time)
        } catch {
            return .unknown("\(error)")
        }
    }
}

/// Verifies the credentials of lists as any other, and holds their issuers against those of the credentials.
private struct ListCredentialVerifier: BitstringListVerifier {
    let verifier: W3CCredentialVerifier
    let listIssuers: [ExactText: Set<ExactText>]
    let limits: StatusListLimits

    func verify(
        _ bytes: [UInt8],
        at url: ExactText,
        for issuer: ExactText,
        at time: Date
    ) async -> Verification<BitstringListCredential> {
        var checklist = Checklist([.structure, .statusListCredential, .issuerTrust], at: time)
        let read = checklist.check(.structure) { () throws(CheckFault) in
            try CheckFault.converting { () throws(LinkedDataError) in
                try VerifiableCredential(decoding: bytes, limits: DocumentLimits(size: limits.tokenSize))
            }
        }
        guard let read else { return checklist.verification(of: nil) }
        let verification = await verifier.verify(read, purpose: .signStatusLists, at: time)
        checklist.add(verification, named: "credential", isMandatory: false)
        let content = checklist.check(.statusListCredential) { () throws(CheckFault) in
            let content = try verification.value().content
            guard content.subjects.count == 1 else {
                throw .failed(.malformed, "the credential of a list has one subject", path: ["credentialSubject"])
            }
            return content
        }
        guard let content else { return checklist.verification(of: nil) }
        checklist.check(.issuerTrust) { () throws(CheckFault) in
            guard content.issuer.id == issuer || listIssuers[issuer]?.contains(content.issuer.id) == true else {
                throw .failed(
                    .issuerNotTrusted,
                    "\(content.issuer.id) does not speak about credentials of \(issuer)",
                    path: ["issuer"]
                )
            }
        }
        let credential = BitstringListCredential(
            id: content.id,
            types: content.types,
            issuer: content.issuer.id,
            subject: content.subjects[0].members,
            validFrom: content.validFrom,
            validUntil: content.validUntil
        )
        return checklist.verification(of: credential)
    }
}

extension Check {
    /// The credential of a status list verifies.
    public static let statusListCredential: Check = "statusListCredential"
}
