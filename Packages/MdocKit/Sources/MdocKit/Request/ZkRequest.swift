public import CBORKit

/// The zero-knowledge systems that a reader takes (ISO/IEC 18013-5 second edition).
public struct ZkRequest: Hashable, Sendable {
    /// One system with its parameters.
    public struct SystemSpec: Hashable, Sendable {
        /// The name under which the answer refers to it.
        public let zkSystemID: String
        /// The name of the system.
        public let system: String
        /// The system's parameters, a map.
        public let params: CBOR

        /// Names a system.
        public init(zkSystemID: String, system: String, params: CBOR) {
            self.zkSystemID = zkSystemID
            self.system = system
            self.params = params
        }
    }

    /// The systems, at least one.
    public let systemSpecs: [SystemSpec]
    /// Indicates that nothing but a proof will do.
    public let zkRequired: Bool

    /// Names the systems.
    public init(systemSpecs: [SystemSpec], zkRequired: Bool) {
        self.systemSpecs = systemSpecs
        self.zkRequired = zkRequired
    }
}

extension ZkRequest: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        systemSpecs = try reading.list(
            try cbor(map.required("systemSpecs")),
            limit: reading.options.limits.elements,
            of: "systemSpecs"
        )
        if let required = map.value(forKey: "zkRequired") {
            zkRequired = try cbor(required.bool())
        } else {
            try reading.tolerate(.earlierZkRequest, at: view)
            zkRequired = false
        }
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: 2)
        writer.write(text: "systemSpecs")
        writer.beginArray(count: systemSpecs.count)
        for spec in systemSpecs {
            writer.beginMap(count: 3)
            writer.write(text: "zkSystemId")
            writer.write(text: spec.zkSystemID)
            writer.write(text: "system")
            writer.write(text: spec.system)
            writer.write(text: "params")
            writer.write(spec.params)
        }
        writer.write(text: "zkRequired")
        writer.write(bool: zkRequired)
    }
}

extension ZkRequest.SystemSpec: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        let (id, params) = (map.value(forKey: "zkSystemId"), map.value(forKey: "params"))
        if id == nil || params == nil { try reading.tolerate(.earlierZkRequest, at: view) }
        if let id {
            zkSystemID = try cbor(id.text())
        } else {
            zkSystemID = try cbor(map.required("id").text())
        }
        system = try cbor(map.required("system").text())
        self.params = params.map { $0.value() } ?? [:]
    }
}
