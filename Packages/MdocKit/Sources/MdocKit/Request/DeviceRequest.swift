package import CBORKit
public import COSEKit
import CryptoCore

/// A reader's request to a wallet (ISO/IEC 18013-5, 10.2.1).
public struct DeviceRequest: Sendable {
    /// The version of the structure.
    public let version: MdocVersion
    /// One request per document; several may name the same type.
    public let docRequests: [DocRequest]
    /// The relation between the document requests (second edition).
    public let deviceRequestInfo: DeviceRequestInfo?
    /// Signatures over the whole request (second edition), not verified: see ``ReaderAuthenticationVerifier``.
    public let readerAuthAll: [COSESign1]
    /// The reader's keys for MACs (ISO/IEC TS 18013-7, Annex A).
    public let macKeys: [COSEKey]
    /// The structure as built or received.
    public let encodedBytes: ArraySlice<UInt8>
    /// The deviations from the standard that were tolerated in reading it as a whole message.
    public private(set) var deviations: [MdocDeviation] = []

    /// Builds a request; its version is 1.1 where a member needs that.
    ///
    /// A reader asks for two statements `age_over_NN` of driving licences at most, in all requests of a session together
    /// (13.4.6). Those of one request are counted here, and those of several are for the caller to count.
    ///
    /// - Parameters:
    ///   - docRequests: At least one.
    ///   - deviceRequestInfo: The relation between the document requests; for peers of the second edition only.
    ///   - readerAuthAll: Signatures over the whole; only where the engagement's capabilities allow it.
    ///   - macKeys: The reader's keys for MACs, one per curve; only where the engagement's capabilities allow it.
    /// - Throws: ``MdocError`` with code `invalidValue` if there is no document request, if one has no type, if a
    ///   document set refers to a missing one, for three different statements `age_over_NN` of driving licences, or for two
    ///   keys for MACs on one curve.
    public init(
        docRequests: [DocRequest],
        deviceRequestInfo: DeviceRequestInfo? = nil,
        readerAuthAll: [COSESign1] = [],
        macKeys: [COSEKey] = []
    ) throws(MdocError) {
        guard !docRequests.isEmpty else {
            throw MdocError(.invalidValue, "a request must hold at least one document request")
        }
        for (index, docRequest) in docRequests.enumerated() {
            try docRequest.itemsRequest.requireDocType(path: ["docRequests[\(index)]"])
        }
        try Self.checkAges(docRequests)
        try Self.check(deviceRequestInfo, docRequests.count)
        let curves = macKeys.compactMap { try? $0.publicKey().curve }
        guard Set(curves).count == curves.count else {
            throw MdocError(.invalidValue, "there may be one key for MACs on each curve", path: ["macKeys"])
        }
        let isPlain = deviceRequestInfo == nil && readerAuthAll.isEmpty && macKeys.isEmpty
        version = isPlain ? .v1_0 : .v1_1
        self.docRequests = docRequests
        self.deviceRequestInfo = deviceRequestInfo
        self.readerAuthAll = readerAuthAll
        self.macKeys = macKeys
        encodedBytes = Self.encoded(version, docRequests, deviceRequestInfo, readerAuthAll, macKeys)[...]
    }

    /// Builds a request of a version.
    ///
    /// - Parameters:
    ///   - version: `1.0`, or `1.1` for a request with one of the last three members.
    ///   - docRequests: At least one.
    ///   - deviceRequestInfo: The relation between the document requests; for peers of the second edition only.
    ///   - readerAuthAll: Signatures over the whole; only where the engagement's capabilities allow it.
    ///   - macKeys: The reader's keys for MACs; only where the engagement's capabilities allow it.
    /// - Throws: ``MdocError`` with code `unsupportedVersion` for another major version, or `invalidValue` for a text
    ///   that is no version, for a version that does not go with the members, and as
    ///   ``init(docRequests:deviceRequestInfo:readerAuthAll:macKeys:)``.
    public init(
        version: String,
        docRequests: [DocRequest],
        deviceRequestInfo: DeviceRequestInfo? = nil,
        readerAuthAll: [COSESign1] = [],
        macKeys: [COSEKey] = []
    ) throws(MdocError) {
        let version = try MdocVersion(supporting: version)
        try self.init(
            docRequests: docRequests,
            deviceRequestInfo: deviceRequestInfo,
            readerAuthAll: readerAuthAll,
            macKeys: macKeys
        )
        guard version == self.version else {
            throw MdocError(.invalidValue, "a request with these members has version \(self.version), not \(version)")
        }
    }

    /// Reads a request.
    ///
    /// - Throws: ``MdocError`` if it is not the structure, if its major version is not 1, or if a limit is passed.
    public init(decoding bytes: some Collection<UInt8>, options: MdocReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        (self, deviations) = try Self.read(bytes[...], options)
    }

    /// Refuses more statements of age than a reader may ask for (13.4.6).
    ///
    /// Alternatives are not requested elements: one set of them takes the place of one (10.2.4).
    private static func checkAges(_ docRequests: [DocRequest]) throws(MdocError) {
        var ages: Set<DataElementReference> = []
        for items in docRequests.map(\.itemsRequest) {
            ages.formUnion(items.nameSpaces.references.filter { AgeAttestation.isLimited($0, in: items.docType) })
        }
        guard ages.count > AgeAttestation.mostAnswers else { return }
        throw MdocError(
            .invalidValue,
            "a request must ask for at most two statements age_over_NN of licences, not for \(ages.count)",
            path: ["docRequests"]
        )
    }

    /// Refuses document sets that refer to missing document requests.
    private static func check(_ info: DeviceRequestInfo?, _ count: Int) throws(MdocError) {
        guard let index = info?.largestIndex, index >= count else { return }
        throw MdocError(.invalidValue, "a document set refers to document request \(index) of \(count)")
    }
}

extension DeviceRequest: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        let limit = reading.options.limits.documents
        version = try MdocVersion(try cbor(map.required("version")), &reading)
        docRequests = try reading.list(try cbor(map.required("docRequests")), limit: limit, of: "docRequests")
        // The document requests have lists of their own.
        _ = reading.beginPart()
        deviceRequestInfo = try map.value(forKey: "deviceRequestInfo").map { (view) throws(MdocError) in
            try DeviceRequestInfo(view, &reading)
        }
        try Self.check(deviceRequestInfo, docRequests.count)
        // Each signature covers the whole request, which is hashed again for it.
        readerAuthAll = try reading.optionalList(
            map.value(forKey: "readerAuthAll"),
            limit: reading.options.limits.wholeRequestSignatures,
            of: "readerAuthAll"
        )
        macKeys = try reading.optionalList(map.value(forKey: "macKeys"), limit: limit, of: "macKeys")
        encodedBytes = view.encodedBytes
        let isPlain = deviceRequestInfo == nil && readerAuthAll.isEmpty && macKeys.isEmpty
        if version == .v1_0, !isPlain { try reading.tolerate(.requestVersion, at: view) }
    }

    private static func encoded(
        _ version: MdocVersion,
        _ docRequests: [DocRequest],
        _ info: DeviceRequestInfo?,
        _ readerAuthAll: [COSESign1],
        _ macKeys: [COSEKey]
    ) -> [UInt8] {
        CBORWriter.bytes { writer in
            writer.beginMap(count: 2 + [info != nil, !readerAuthAll.isEmpty, !macKeys.isEmpty].count { $0 })
            writer.write(text: "version")
            writer.write(text: version.description)
            writer.write(text: "docRequests")
            writer.beginArray(count: docRequests.count)
            for docRequest in docRequests { docRequest.encode(to: &writer) }
            if let info {
                writer.write(text: "deviceRequestInfo")
                writer.write(encoded: info.taggedBytes)
            }
            if !readerAuthAll.isEmpty {
                writer.write(text: "readerAuthAll")
                writer.beginArray(count: readerAuthAll.count)
                for signature in readerAuthAll { writer.write(encoded: signature.encoded(tagged: false)) }
            }
            if !macKeys.isEmpty {
                writer.write(text: "macKeys")
                writer.beginArray(count: macKeys.count)
                for key in macKeys { writer.write(encoded: key.encoded()) }
            }
        }
    }
}
