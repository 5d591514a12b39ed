public import JSONKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The credential that holds a bitstring status list, as its verifier hands it out.
public struct BitstringListCredential: Sendable {
    /// The identifier, or nil.
    public let id: ExactText?
    /// The types, as the document spells them.
    public let types: [ExactText]
    /// The issuer.
    public let issuer: ExactText
    /// The members of the credential's only subject.
    public let subject: JSONObject
    /// The time from which the credential is valid, or nil.
    public let validFrom: Date?
    /// The time from which the credential is no longer valid, or nil.
    public let validUntil: Date?

    /// Describes a credential whose every check passed.
    public init(
        id: ExactText?,
        types: [ExactText],
        issuer: ExactText,
        subject: JSONObject,
        validFrom: Date?,
        validUntil: Date?
    ) {
        self.id = id
        self.types = types
        self.issuer = issuer
        self.subject = subject
        self.validFrom = validFrom
        self.validUntil = validUntil
    }
}

/// Verifies the credentials that hold bitstring status lists.
///
/// The list is as good as its credential: an implementation checks signature, issuer, validity and trust as for any
/// other.
public protocol BitstringListVerifier: Sendable {
    /// Verifies the credential of a list.
    ///
    /// - Parameters:
    ///   - bytes: The credential as received.
    ///   - url: The URL that it was received from.
    ///   - issuer: The issuer of the credential whose status is asked for. The implementation decides which issuers may
    ///     speak about its credentials.
    ///   - time: The time.
    func verify(
        _ bytes: [UInt8],
        at url: ExactText,
        for issuer: ExactText,
        at time: Date
    ) async -> Verification<BitstringListCredential>
}

/// A bitstring status list whose credential was verified.
///
/// Only ``BitstringStatusListClient`` makes values of this type.
public struct VerifiedBitstringStatusList: Sendable {
    /// The standard of the list.
    public let form: BitstringStatusList.Form
    /// The purposes (`statusPurpose`).
    public let purposes: Set<StatusPurpose>
    /// The credential without its verification.
    public let credential: BitstringListCredential
    /// The credential as received.
    public let encodedBytes: [UInt8]
    /// The time in seconds for which the list may be kept (`ttl`), or nil.
    public let timeToLive: TimeInterval?

    /// The deviations that tolerances let pass when the credential was verified.
    public let deviations: [Deviation]

    /// The list, as one bit an entry.
    private let list: BitstringStatusList

    /// Reads the list of a verified credential.
    init(
        _ credential: BitstringListCredential,
        encodedBytes: [UInt8],
        at url: ExactText,
        deviations: [Deviation],
        limits: StatusListLimits
    ) throws(StatusListError) {
        guard credential.id == nil || credential.id == url else {
            throw Self.malformed("the credential of another list was received", "id")
        }
        let types = credential.subject["type"].map { $0.arrayValue ?? [$0] } ?? []
        if types.contains("BitstringStatusList"), credential.types.contains("BitstringStatusListCredential") {
            form = .bitstring
        } else if types.contains("StatusList2021"), credential.types.contains("StatusList2021Credential") {
            form = .statusList2021
        } else {
            throw Self.malformed("the credential holds no bitstring status list", "type")
        }
        let purpose = credential.subject["statusPurpose"]
        let names = (purpose.map { $0.arrayValue ?? [$0] } ?? []).map(\.stringValue)
        guard !names.isEmpty, names.allSatisfy({ $0 != nil }) else {
            throw Self.malformed("the list has no purpose", "statusPurpose")
        }
        purposes = Set(names.compactMap { $0.map(StatusPurpose.init(rawValue:)) })
        guard let text = credential.subject["encodedList"]?.stringValue else {
            throw Self.malformed("it is missing", "encodedList")
        }
        list = try BitstringStatusList(decoding: text, form: form, limits: limits)
        // In milliseconds (Bitstring Status List 1.0, section 2.2).
        timeToLive = credential.subject["ttl"]?.numberValue.flatMap { try? $0.double() }.map { $0 / 1000 }
        self.credential = credential
        self.encodedBytes = encodedBytes
        self.deviations = deviations
    }

    /// The bytes that the list and its credential take.
    var size: Int { list.bytes.count + encodedBytes.count }

    /// The number at the place of an entry.
    ///
    /// - Throws: ``StatusListError/Code/invalidReference`` for an entry of another standard or purpose,
    ///   ``StatusListError/Code/indexOutOfRange``, and ``StatusListError/Code/malformed`` for a list that is too short
    ///   for the size of the entry.
    public func value(of entry: BitstringStatusListEntry) throws(StatusListError) -> UInt64 {
        guard entry.form == form, purposes.contains(entry.purpose) else {
            throw StatusListError(
                .invalidReference,
                "the list has not the purpose \(entry.purpose)",
                path: ["credentialStatus", "statusPurpose"]
            )
        }
        return try list.status(at: entry.index, entrySize: entry.size)
    }

    /// The status of an entry (Bitstring Status List 1.0, sections 2.2 and 3.2).
    ///
    /// The number 0 is valid for every purpose, and so is every number for ``StatusPurpose/refresh``, which does not
    /// invalidate the credential. Another number for ``StatusPurpose/message`` or for an unknown purpose is a status of the
    /// application's own.
    ///
    /// - Parameters:
    ///   - entry: The credential's reference.
    ///   - time: The time, which counts as that of the issuer's statement where the list has none.
    /// - Throws: As for the number.
    public func status(of entry: BitstringStatusListEntry, at time: Date) throws(StatusListError) -> CredentialStatus {
        switch (entry.purpose, try value(of: entry)) {
        case (_, 0), (.refresh, _): .valid(asOf: credential.validFrom ?? time)
        case (.revocation, _): .revoked
        case (.suspension, _): .suspended
        case (_, let value): .application(value)
        }
    }

    /// The status of an entry, with the deviations of the list and the update that it tells of.
    func finding(of entry: BitstringStatusListEntry, at time: Date) throws(StatusListError) -> StatusFinding {
        let isSet = try value(of: entry) != 0
        return StatusFinding(
            try status(of: entry, at: time),
            deviations: deviations,
            isUpdateAvailable: entry.purpose == .refresh && isSet
        )
    }

    private static func malformed(_ message: String, _ member: String) -> StatusListError {
        StatusListError(.malformed, message, path: ["credential", member])
    }
}
