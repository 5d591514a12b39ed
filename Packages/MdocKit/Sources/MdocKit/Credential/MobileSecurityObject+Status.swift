package import CBORKit

extension MobileSecurityObject {
    /// The references to a credential's revocation status (ISO/IEC 18013-5 second edition, 12.3.6; Token Status List).
    public struct Status: Hashable, Sendable {
        /// A place in a token status list.
        public struct StatusList: Hashable, Sendable {
            /// The index of the credential's entry.
            public let index: UInt64
            /// The location of the list.
            public let uri: String
            /// The certificate, in DER, that anchors the list's signer; nil if the issuer's own authority does.
            public let certificate: [UInt8]?

            /// Creates a reference.
            public init(index: UInt64, uri: String, certificate: [UInt8]? = nil) {
                self.index = index
                self.uri = uri
                self.certificate = certificate
            }
        }

        /// An entry that is in an identifier list while the credential is revoked.
        public struct IdentifierList: Hashable, Sendable {
            /// The form in which an issuer wrote an identifier.
            public enum IdentifierForm: Hashable, Sendable {
                /// A byte string, as in the standard. The list contains exactly these bytes.
                case bytes
                /// Text, see ``MdocTolerance/textIdentifier``. A list without its UTF-8 bytes may contain it in another
                /// spelling.
                case text
            }

            /// The credential's identifier in the list.
            public let identifier: [UInt8]
            /// The form in which the issuer wrote the identifier.
            public let form: IdentifierForm
            /// The location of the list.
            public let uri: String
            /// The certificate, in DER, that anchors the list's signer; nil if the issuer's own authority does.
            public let certificate: [UInt8]?

            /// Creates a reference.
            public init(identifier: [UInt8], uri: String, certificate: [UInt8]? = nil) {
                self.init(identifier, .bytes, uri, certificate)
            }

            init(_ identifier: [UInt8], _ form: IdentifierForm, _ uri: String, _ certificate: [UInt8]?) {
                self.identifier = identifier
                self.form = form
                self.uri = uri
                self.certificate = certificate
            }
        }

        /// The entry in a token status list, if there is one.
        public let statusList: StatusList?
        /// The entry for an identifier list, if there is one.
        public let identifierList: IdentifierList?

        /// Creates a status; other mechanisms than the two are ignored on reading.
        ///
        /// A status with neither mechanism says that the credential can be revoked, but not where its status is found.
        public init(statusList: StatusList? = nil, identifierList: IdentifierList? = nil) {
            self.statusList = statusList
            self.identifierList = identifierList
        }
    }
}

extension MobileSecurityObject.Status: MdocReadable {
    /// Reads a status.
    ///
    /// A tolerated status without a value names no mechanism, so it is unknown.
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        guard let view = try reading.present(view) else {
            (statusList, identifierList) = (nil, nil)
            return
        }
        let map = try cbor(view.map())
        statusList = try map.value(forKey: "status_list").map { (view) throws(MdocError) in
            let map = try cbor(view.map())
            return StatusList(
                index: try cbor(map.required("idx").integer()),
                uri: try cbor(map.required("uri").text()),
                certificate: try Self.certificate(in: map)
            )
        }
        identifierList = try map.value(forKey: "identifier_list").map { (view) throws(MdocError) in
            let map = try cbor(view.map())
            let id = try cbor(map.required("id"))
            return IdentifierList(
                try Self.identifier(id, &reading),
                id.kind == .textString ? .text : .bytes,
                try cbor(map.required("uri").text()),
                try Self.certificate(in: map)
            )
        }
    }

    /// A byte string; the bytes of a text where that is tolerated.
    private static func identifier(_ view: CBORView, _ reading: inout Reading) throws(MdocError) -> [UInt8] {
        guard view.kind == .textString else { return [UInt8](try cbor(view.bytes())) }
        try reading.tolerate(.textIdentifier, at: view)
        return [UInt8](try cbor(view.utf8()))
    }

    private static func certificate(in map: CBORMapView) throws(MdocError) -> [UInt8]? {
        guard let view = map.value(forKey: "certificate") else { return nil }
        return [UInt8](try cbor(view.bytes()))
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: (statusList == nil ? 0 : 1) + (identifierList == nil ? 0 : 1))
        if let statusList {
            writer.write(text: "status_list")
            writer.beginMap(count: statusList.certificate == nil ? 2 : 3)
            writer.write(text: "idx")
            writer.write(unsigned: statusList.index)
            Self.encode(uri: statusList.uri, certificate: statusList.certificate, to: &writer)
        }
        if let identifierList {
            writer.write(text: "identifier_list")
            writer.beginMap(count: identifierList.certificate == nil ? 2 : 3)
            writer.write(text: "id")
            writer.write(bytes: identifierList.identifier)
            Self.encode(uri: identifierList.uri, certificate: identifierList.certificate, to: &writer)
        }
    }

    private static func encode(uri: String, certificate: [UInt8]?, to writer: inout CBORWriter) {
        writer.write(text: "uri")
        writer.write(text: uri)
        if let certificate {
            writer.write(text: "certificate")
            writer.write(bytes: certificate)
        }
    }
}
