package import CBORKit
public import COSEKit
public import CryptoCore
public import MdocKit

/// A wallet's data that lets a reader begin a session (ISO/IEC 18013-5, 9.1).
///
/// The session is bound to the bytes exactly as shown, so unknown members are kept too.
public struct DeviceEngagement: Sendable {
    /// The version of the structure.
    public let version: MdocVersion
    /// The wallet's ephemeral key of the session.
    public let eDeviceKey: COSEKey
    /// EDeviceKeyBytes: the tag-24 item exactly as shown.
    public let eDeviceKeyBytes: ArraySlice<UInt8>
    /// The methods for retrieving data; empty in an engagement over NFC, which names them in its own records.
    public let retrievalMethods: [DeviceRetrievalMethod]
    /// The origin of the engagement; nil for an absent member.
    public let originInfos: [OriginInfo]?
    /// The wallet's capabilities beyond the first edition; nil for an absent member.
    public let capabilities: EngagementCapabilities?
    /// The structure as built or received.
    public let encodedBytes: ArraySlice<UInt8>
    /// The deviations from the standard that were tolerated in reading it as a whole message.
    public private(set) var deviations: [MdocDeviation] = []

    /// The only cipher suite: ECDH, HKDF with SHA-256, AES-256-GCM.
    private static let cipherSuite = 1

    /// Reads an engagement, bare or as DeviceEngagementBytes.
    ///
    /// - Throws: `MdocError` if it is not the structure, if its major version or its cipher suite is not 1, or if a
    ///   limit is passed.
    public init(decoding bytes: some Collection<UInt8>, options: MdocReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        (self, deviations) = try Self.read(bytes[...], options)
    }

    /// Adds the deviations of the text around the engagement.
    mutating func add(_ deviation: MdocDeviation) {
        deviations.append(deviation)
    }

    /// Builds an engagement; its version is 1.1 where a member needs that.
    ///
    /// - Parameters:
    ///   - eDeviceKey: The wallet's ephemeral key, new for every session.
    ///   - retrievalMethods: The methods for retrieving data; empty in an engagement over NFC.
    ///   - originInfos: The origin of the engagement; written as an empty list if only capabilities are given.
    ///   - capabilities: The wallet's capabilities beyond the first edition.
    /// - Throws: `MdocError` with code `unsupportedKey` if the key is not on a curve for key agreement, or
    ///   `invalidValue` if a retrieval method of one type and version is given twice, or for
    ///   ``EngagementCapabilities/macKeysCurves`` without ``EngagementCapabilities/macKeysSupport``.
    public init(
        eDeviceKey: PublicKey,
        retrievalMethods: [DeviceRetrievalMethod],
        originInfos: [OriginInfo]? = nil,
        capabilities: EngagementCapabilities? = nil
    ) throws(MdocError) {
        let key = try MdocAlgorithms.keyAgreementKey(eDeviceKey)
        guard Set(retrievalMethods.map(\.kind)).count == retrievalMethods.count else {
            throw MdocError(.invalidValue, "a retrieval method of one type and version may be given only once")
        }
        let capabilities = try capabilities?.statable()
        let origins = capabilities == nil ? originInfos : originInfos ?? []
        version = origins == nil ? .v1_0 : .v1_1
        self.eDeviceKey = key
        eDeviceKeyBytes = CBORWriter.embedding(key.encoded())[...]
        self.retrievalMethods = retrievalMethods
        self.originInfos = origins
        self.capabilities = capabilities
        encodedBytes = Self.encoded(version, eDeviceKeyBytes, retrievalMethods, origins, capabilities)[...]
    }

    /// DeviceEngagementBytes: the structure in a tag-24 byte string, the form that goes into a session transcript.
    public var taggedBytes: [UInt8] { CBORWriter.embedding(encodedBytes) }

    private static func encoded(
        _ version: MdocVersion,
        _ eDeviceKeyBytes: ArraySlice<UInt8>,
        _ retrievalMethods: [DeviceRetrievalMethod],
        _ originInfos: [OriginInfo]?,
        _ capabilities: EngagementCapabilities?
    ) -> [UInt8] {
        CBORWriter.bytes { writer in
            let optional = [!retrievalMethods.isEmpty, originInfos != nil, capabilities != nil].count { $0 }
            writer.beginMap(count: 2 + optional)
            writer.write(unsigned: 0)
            writer.write(text: version.description)
            writer.write(unsigned: 1)
            writer.beginArray(count: 2)
            writer.write(integer: cipherSuite)
            writer.write(encoded: eDeviceKeyBytes)
            if !retrievalMethods.isEmpty {
                writer.write(unsigned: 2)
                writer.beginArray(count: retrievalMethods.count)
                for method in retrievalMethods { method.encode(to: &writer) }
            }
            if let originInfos {
                writer.write(unsigned: 5)
                writer.beginArray(count: originInfos.count)
                for origin in originInfos { origin.encode(to: &writer) }
            }
            if let capabilities {
                writer.write(unsigned: 6)
                capabilities.encode(to: &writer)
            }
        }
    }
}

extension DeviceEngagement: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let engagement = view.tag == nil ? view : try reading.embedded(view)
        let map = try cbor(engagement.map())
        version = try MdocVersion(try cbor(map.required(0)), &reading)
        let security = try cbor(map.required(1))
        let members = Array(try cbor(security.array()))
        guard members.count == 2, try cbor(members[0].integer(as: Int.self)) == Self.cipherSuite else {
            throw MdocError(.invalidValue, "the security member must be cipher suite 1 and a key", at: security)
        }
        eDeviceKey = try reading.key(try reading.embedded(members[1]))
        eDeviceKeyBytes = members[1].encodedBytes
        let limit = reading.options.limits.elements
        retrievalMethods = try reading.optionalList(map.value(forKey: 2), limit: limit, of: "retrieval methods")
        originInfos = try map.value(forKey: 5).map { (view) throws(MdocError) in
            let entries = try cbor(view.array())
            try reading.check(entries.count, limit: limit, "origin infos", at: view)
            var origins: [OriginInfo] = []
            // The form is that of ISO/IEC TS 18013-7, A.3; others are for later (ISO/IEC 18013-5, 9.1).
            for entry in entries where OriginInfo.isForm(of: entry) { origins.append(try OriginInfo(entry, &reading)) }
            return origins
        }
        capabilities = try map.value(forKey: 6).map { (view) throws(MdocError) in
            try EngagementCapabilities(view, &reading)
        }
        encodedBytes = engagement.encodedBytes
        try requireForm(engagement, &reading)
    }

    /// Checks the requirements of one member on another (9.1).
    private func requireForm(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let hasNewMembers = originInfos != nil || capabilities != nil
        // The rules of a later minor version are unknown.
        if version == (hasNewMembers ? .v1_0 : .v1_1) { try reading.tolerate(.engagementVersion, at: view) }
        if capabilities != nil, originInfos == nil { try reading.tolerate(.capabilitiesWithoutOrigins, at: view) }
        if Set(retrievalMethods.map(\.kind)).count != retrievalMethods.count {
            try reading.tolerate(.repeatedRetrievalMethod, at: view)
        }
    }
}

extension DeviceEngagement {
    /// The service name for Wi-Fi Aware: HKDF-SHA-256 of EDeviceKeyBytes for "NANService" in upper-case hexadecimal
    /// (ISO/IEC 18013-5, 11.3.2).
    public func wifiAwareServiceName() throws(MdocError) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let text = try derive("NANService", length: 16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The pass-phrase for Wi-Fi Aware where ``WiFiAwareOptions`` give none: HKDF-SHA-256 of EDeviceKeyBytes for
    /// "NANPassphrase" in base64url without padding.
    public func wifiAwarePassPhrase() throws(MdocError) -> String {
        MdocBase64URL.encode(try derive("NANPassphrase", length: 32))
    }

    /// The pass-phrase for a way to retrieve data: the one that it gives, or the derived one.
    public func passPhrase(for options: WiFiAwareOptions) throws(MdocError) -> String {
        if let passPhrase = options.passPhrase { return passPhrase }
        return try wifiAwarePassPhrase()
    }
}
