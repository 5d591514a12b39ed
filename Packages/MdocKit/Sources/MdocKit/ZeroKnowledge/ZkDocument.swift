public import CBORKit
import COSEKit
public import CryptoCore

/// A document whose elements a zero-knowledge proof vouches for (ISO/IEC 18013-5 second edition, 10.3.4).
///
/// A value of this type has been read, not verified: see
/// ``MdocVerifier/verify(_:answering:sessionTranscript:proofVerifier:)``. The forms of the draft and of deployed code still differ,
/// so the data is also kept as received.
public struct ZkDocument: Sendable {
    /// The type of the document that the proof is about.
    public let docType: DocType
    /// The name under which the reader's request has the system that made the proof: `zkSystemId`, or `id` in earlier code.
    public let zkSystemID: String
    /// The day of the proof.
    public let timestamp: CBORDate
    /// The elements that the issuer signed.
    public let issuerSigned: DataElements<CBORView>
    /// The elements that the device signed.
    public let deviceSigned: DataElements<CBORView>
    /// The issuer's certificates in DER, leaf first; empty if the proof does not name the issuer.
    public let msoX5chain: [ArraySlice<UInt8>]
    /// The proven data: the content of ``documentDataBytes``.
    public let documentData: CBORView
    /// The tag-24 item with the data, exactly as received.
    public let documentDataBytes: ArraySlice<UInt8>
    /// The proof, in the form of its system.
    public let proof: ArraySlice<UInt8>
    /// The structure as built or received.
    public let encodedBytes: ArraySlice<UInt8>

    /// Builds a document around a proof.
    ///
    /// - Parameters:
    ///   - docType: The type of the document.
    ///   - zkSystemID: The name of the system in the reader's request: ``ZkRequest/SystemSpec/zkSystemID``.
    ///   - timestamp: The day of the proof.
    ///   - issuerSigned: The elements that the issuer signed.
    ///   - deviceSigned: The elements that the device signed.
    ///   - msoX5chain: The issuer's certificates, leaf first, as the credential has them; empty to leave the issuer unnamed.
    ///   - proof: The proof, in the form of its system.
    /// - Throws: ``MdocError`` with code `invalidValue` for a day outside of the years 0 to 9999.
    public init(
        docType: DocType,
        zkSystemID: String,
        timestamp: CBORDate,
        issuerSigned: DataElements<CBOR>,
        deviceSigned: DataElements<CBOR> = DataElements(),
        msoX5chain: [Certificate] = [],
        proof: some Collection<UInt8>
    ) throws(MdocError) {
        let data = CBORWriter.bytes { writer in
            writer.beginMap(count: 3 + [issuerSigned.isEmpty, deviceSigned.isEmpty, msoX5chain.isEmpty].count { !$0 })
            writer.write(text: "docType")
            writer.write(text: docType.text)
            writer.write(text: "zkSystemId")
            writer.write(text: zkSystemID)
            writer.write(text: "timestamp")
            writer.write(tag: 1004)
            writer.write(text: timestamp.description)
            for (name, elements) in [("issuerSigned", issuerSigned), ("deviceSigned", deviceSigned)] {
                guard !elements.isEmpty else { continue }
                writer.write(text: name)
                writer.writeZkNameSpaces(elements)
            }
            if !msoX5chain.isEmpty {
                writer.write(text: "msoX5chain")
                writer.write(COSEHeaderMap.certificates(msoX5chain.map(\.derBytes)))
            }
        }
        let encoded = CBORWriter.bytes { writer in
            writer.beginMap(count: 2)
            writer.write(text: "documentData")
            writer.write(encoded: CBORWriter.embedding(data))
            writer.write(text: "proof")
            writer.write(bytes: Array(proof))
        }
        var reading = Reading(.building)
        try self.init(try reading.message(encoded[...]), &reading)
    }
}

extension ZkDocument: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        let dataView = try cbor(map.required("documentData"))
        documentData = try reading.embedded(dataView)
        documentDataBytes = dataView.encodedBytes
        proof = try cbor(map.required("proof").bytes())
        encodedBytes = view.encodedBytes
        let data = try cbor(documentData.map())
        docType = try reading.name(try cbor(data.required("docType")))
        let identifier = data.value(forKey: "zkSystemId") ?? data.value(forKey: "id")
        guard let identifier else {
            throw MdocError(.missingMember, "the key zkSystemId is missing", at: documentData)
        }
        zkSystemID = try cbor(identifier.text())
        timestamp = try reading.fullDate(try cbor(data.required("timestamp")))
        issuerSigned = try reading.zkNameSpaces(data.value(forKey: "issuerSigned"))
        deviceSigned = try reading.zkNameSpaces(data.value(forKey: "deviceSigned"))
        msoX5chain = try reading.zkCertificates(data.value(forKey: "msoX5chain"))
    }
}

extension Reading {
    /// ZkNameSpaces: lists of elements by namespace; an empty map counts as an absent one if tolerated.
    fileprivate mutating func zkNameSpaces(_ view: CBORView?) throws(MdocError) -> DataElements<CBORView> {
        var elements = DataElements<CBORView>()
        guard let view else { return elements }
        let map = try cbor(view.map())
        if map.count == 0 { try tolerate(.emptyMember, at: view) }
        try checkNameSpaces(map.count, at: view)
        var total = 0
        for (key, items) in map {
            let array = try cbor(items.array())
            if array.count == 0 { try tolerate(.emptyNameSpace, at: items) }
            total += array.count
            try check(total, limit: options.limits.elements, "data elements", at: view)
            var values: [(identifier: DataElementIdentifier, value: CBORView)] = []
            for item in array {
                let item = try cbor(item.map())
                let identifier: DataElementIdentifier = try name(try cbor(item.required("elementIdentifier")))
                values.append((identifier, try cbor(item.required("elementValue"))))
            }
            if let repeated = values.map(\.identifier).firstRepeated {
                throw MdocError(.duplicateElement, "\(repeated) is there twice", at: items)
            }
            elements.append(try name(key), values)
        }
        return elements
    }

    /// COSE_X509: one certificate as a byte string, several as an array.
    fileprivate mutating func zkCertificates(_ view: CBORView?) throws(MdocError) -> [ArraySlice<UInt8>] {
        guard let view else { return [] }
        var chain: [ArraySlice<UInt8>] = []
        if view.kind == .byteString {
            chain = [try cbor(view.bytes())]
        } else {
            let array = try cbor(view.array())
            try check(array.count, limit: options.limits.certificates, "certificates", at: view)
            if array.count < 2 { try tolerate(array.count == 1 ? .arrayOfOneCertificate : .emptyMember, at: view) }
            for element in array { chain.append(try cbor(element.bytes())) }
        }
        for certificate in chain {
            try check(certificate.count, limit: options.limits.certificateSize, "bytes of a certificate", at: view)
        }
        return chain
    }
}

extension CBORWriter {
    fileprivate mutating func writeZkNameSpaces(_ elements: DataElements<CBOR>) {
        let groups = elements.groups.filter { !$0.elements.isEmpty }
        beginMap(count: groups.count)
        for group in groups {
            write(text: group.nameSpace.text)
            beginArray(count: group.elements.count)
            for (identifier, value) in group.elements {
                beginMap(count: 2)
                write(text: "elementIdentifier")
                write(text: identifier.text)
                write(text: "elementValue")
                write(value)
            }
        }
    }
}
