import CPKCS11
import Credentials
import Foundation

/// A failed call of a token's library: its name and the return value of PKCS #11.
struct TokenError: Error, CustomStringConvertible {
    let call: String
    let code: CK_RV

    var description: String { "\(call) returned 0x\(String(code, radix: 16))" }
}

/// A session with a PKCS #11 token; an actor, since a session carries one operation at a time.
actor Token {
    private let functions: CK_FUNCTION_LIST
    private let session: CK_SESSION_HANDLE

    /// Loads the library of a token, and logs in to the token with a label.
    ///
    /// - Parameters:
    ///   - library: The path of the library, such as `/usr/lib/softhsm/libsofthsm2.so`.
    ///   - label: The label of the token.
    ///   - pin: The PIN of its user.
    init(library: String, label: String, pin: String) throws {
        guard let handle = dlopen(library, RTLD_NOW), let symbol = dlsym(handle, "C_GetFunctionList") else {
            throw TokenError(call: "dlopen", code: CK_RV(CKR_GENERAL_ERROR))
        }
        typealias GetFunctionList =
            @convention(c) (UnsafeMutablePointer<UnsafeMutablePointer<CK_FUNCTION_LIST>?>) -> CK_RV
        var list: UnsafeMutablePointer<CK_FUNCTION_LIST>?
        try Self.check("C_GetFunctionList", unsafeBitCast(symbol, to: GetFunctionList.self)(&list))
        guard let functions = list?.pointee else {
            throw TokenError(call: "C_GetFunctionList", code: CK_RV(CKR_GENERAL_ERROR))
        }
        self.functions = functions
        try Self.check("C_Initialize", functions.C_Initialize(nil))
        let slot = try Self.slot(of: label, functions)
        var session: CK_SESSION_HANDLE = 0
        let flags = CK_FLAGS(CKF_SERIAL_SESSION | CKF_RW_SESSION)
        try Self.check("C_OpenSession", functions.C_OpenSession(slot, flags, nil, nil, &session))
        self.session = session
        var digits = Array(pin.utf8)
        try Self.check("C_Login", functions.C_Login(session, CK_USER_TYPE(CKU_USER), &digits, CK_ULONG(digits.count)))
    }

    private static func slot(of label: String, _ functions: CK_FUNCTION_LIST) throws -> CK_SLOT_ID {
        var count: CK_ULONG = 0
        try check("C_GetSlotList", functions.C_GetSlotList(1, nil, &count))
        var slots = [CK_SLOT_ID](repeating: 0, count: Int(count))
        try check("C_GetSlotList", functions.C_GetSlotList(1, &slots, &count))
        for slot in slots.prefix(Int(count)) {
            var info = CK_TOKEN_INFO()
            try check("C_GetTokenInfo", functions.C_GetTokenInfo(slot, &info))
            let name = withUnsafeBytes(of: info.label) { String(decoding: $0, as: UTF8.self) }
            if name.trimmingCharacters(in: .whitespaces) == label { return slot }
        }
        throw TokenError(call: "C_GetTokenInfo", code: CK_RV(CKR_TOKEN_NOT_PRESENT))
    }

    /// The object identifier of P-256 in DER: 1.2.840.10045.3.1.7.
    private static let curve: [UInt8] = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]

    /// Makes a P-256 key pair that never leaves the token, with a random identifier.
    func generateKey(labeled label: String) throws -> TokenKey {
        let label = Array(label.utf8)
        let id = SystemRandomSource().bytes(16)
        var publicHandle: CK_OBJECT_HANDLE = 0
        var privateHandle: CK_OBJECT_HANDLE = 0
        var mechanism = CK_MECHANISM(
            mechanism: CK_MECHANISM_TYPE(CKM_EC_KEY_PAIR_GEN),
            pParameter: nil,
            ulParameterLen: 0
        )
        try Attributes([
            (CKA_TOKEN, [1]), (CKA_VERIFY, [1]), (CKA_EC_PARAMS, Self.curve), (CKA_LABEL, label), (CKA_ID, id),
        ]).use { open, opens in
            try Attributes([
                (CKA_TOKEN, [1]), (CKA_PRIVATE, [1]), (CKA_SENSITIVE, [1]), (CKA_EXTRACTABLE, [0]), (CKA_SIGN, [1]),
                (CKA_LABEL, label), (CKA_ID, id),
            ]).use { secret, secrets in
                try Self.check(
                    "C_GenerateKeyPair",
                    functions.C_GenerateKeyPair(
                        session,
                        &mechanism,
                        open,
                        opens,
                        secret,
                        secrets,
                        &publicHandle,
                        &privateHandle
                    )
                )
            }
        }
        return TokenKey(handle: privateHandle, id: id, publicKey: try publicKey(publicHandle))
    }

    /// Finds a P-256 key pair, the two parts of which have one identifier.
    ///
    /// - Throws: ``TokenKeyError`` for no such key, and for several.
    func key(_ name: TokenKeyName) throws -> TokenKey {
        let attribute: (UInt, [UInt8]) =
            switch name {
            case .label(let label): (CKA_LABEL, Array(label.utf8))
            case .id(let id): (CKA_ID, id)
            }
        let handle = try object(CKO_PRIVATE_KEY, [attribute], of: name)
        let id = try value(of: CKA_ID, handle)
        let open = try object(CKO_PUBLIC_KEY, [(CKA_ID, id), (CKA_EC_PARAMS, Self.curve)], of: name)
        return TokenKey(handle: handle, id: id, publicKey: try publicKey(open))
    }

    /// The only object of a class on the token that is a key on a curve and has some attributes.
    private func object(
        _ objectClass: UInt,
        _ attributes: [(UInt, [UInt8])],
        of name: TokenKeyName
    ) throws -> CK_OBJECT_HANDLE {
        func bytes(_ number: UInt) -> [UInt8] { withUnsafeBytes(of: CK_ULONG(number)) { Array($0) } }
        let kind = [(CKA_CLASS, bytes(objectClass)), (CKA_KEY_TYPE, bytes(CKK_EC)), (CKA_TOKEN, [1])]
        try Attributes(kind + attributes).use { attributes, count in
            try Self.check("C_FindObjectsInit", functions.C_FindObjectsInit(session, attributes, count))
        }
        var found: [CK_OBJECT_HANDLE] = [0, 0]
        var count: CK_ULONG = 0
        let code = functions.C_FindObjects(session, &found, CK_ULONG(found.count), &count)
        try Self.check("C_FindObjectsFinal", functions.C_FindObjectsFinal(session))
        try Self.check("C_FindObjects", code)
        guard count > 0 else { throw TokenKeyError.notFound(name) }
        guard count == 1 else { throw TokenKeyError.ambiguous(name) }
        return found[0]
    }

    /// The value of an attribute, of up to 1024 bytes.
    private func value(of type: UInt, _ handle: CK_OBJECT_HANDLE) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = try bytes.withUnsafeMutableBytes { buffer in
            var attribute = CK_ATTRIBUTE(
                type: CK_ATTRIBUTE_TYPE(type),
                pValue: buffer.baseAddress,
                ulValueLen: CK_ULONG(buffer.count)
            )
            try Self.check("C_GetAttributeValue", functions.C_GetAttributeValue(session, handle, &attribute, 1))
            return Int(attribute.ulValueLen)
        }
        return Array(bytes.prefix(count))
    }

    /// The public key of an object: its point stands in an OCTET STRING.
    private func publicKey(_ handle: CK_OBJECT_HANDLE) throws -> PublicKey {
        let bytes = try value(of: CKA_EC_POINT, handle)
        guard bytes.count == 67, bytes.starts(with: [0x04, 0x41]) else {
            throw TokenError(call: "CKA_EC_POINT", code: CK_RV(CKR_ATTRIBUTE_VALUE_INVALID))
        }
        return try PublicKey(curve: .p256, x963Representation: bytes.dropFirst(2))
    }

    /// An ECDSA signature over a digest, as r‖s.
    func signature(forDigest digest: [UInt8], with handle: CK_OBJECT_HANDLE) throws -> [UInt8] {
        var mechanism = CK_MECHANISM(mechanism: CK_MECHANISM_TYPE(CKM_ECDSA), pParameter: nil, ulParameterLen: 0)
        try Self.check("C_SignInit", functions.C_SignInit(session, &mechanism, handle))
        var digest = digest
        var signature = [UInt8](repeating: 0, count: 64)
        var count = CK_ULONG(signature.count)
        try Self.check("C_Sign", functions.C_Sign(session, &digest, CK_ULONG(digest.count), &signature, &count))
        return Array(signature.prefix(Int(count)))
    }

    /// Ends the session.
    func close() throws {
        try Self.check("C_CloseSession", functions.C_CloseSession(session))
        try Self.check("C_Finalize", functions.C_Finalize(nil))
    }

    private static func check(_ call: String, _ code: CK_RV) throws {
        guard code == CK_RV(CKR_OK) else { throw TokenError(call: call, code: code) }
    }
}

/// Attributes of an object for a call of PKCS #11.
private struct Attributes {
    private let attributes: [(type: UInt, value: [UInt8])]

    init(_ attributes: [(UInt, [UInt8])]) {
        self.attributes = attributes.map { (type: $0.0, value: $0.1) }
    }

    /// Calls a closure with the attributes, whose values lie in memory of their own until it returns.
    func use<Result>(_ body: (UnsafeMutablePointer<CK_ATTRIBUTE>?, CK_ULONG) throws -> Result) rethrows -> Result {
        var bytes = attributes.flatMap(\.value)
        return try bytes.withUnsafeMutableBytes { buffer in
            var offset = 0
            var list = attributes.map { type, value in
                defer { offset += value.count }
                return CK_ATTRIBUTE(
                    type: CK_ATTRIBUTE_TYPE(type),
                    pValue: buffer.baseAddress.map { $0 + offset },
                    ulValueLen: CK_ULONG(value.count)
                )
            }
            return try list.withUnsafeMutableBufferPointer { try body($0.baseAddress, CK_ULONG($0.count)) }
        }
    }
}
