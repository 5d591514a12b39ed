#if PostgreSQL
import CLibPQ
import VerificationCore

/// Values in one piece of memory, for functions that take an array of pointers.
struct CStrings {
    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []

    /// Byte strings, each followed by a zero; nil for a null pointer.
    init(_ values: [[UInt8]?]) {
        for value in values {
            guard let value else {
                offsets.append(nil)
                continue
            }
            offsets.append(bytes.count)
            bytes += value
            bytes.append(0)
        }
    }

    /// Texts, with a null pointer at the end of the array.
    init(_ texts: [String]) {
        self.init(texts.map { Array($0.utf8) } + [nil])
    }

    /// Calls a function with the pointers, which are valid until it returns.
    func withPointers<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
        unsafe bytes.withUnsafeBytes { memory in
            let start = unsafe memory.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = unsafe offsets.map { offset in unsafe offset.flatMap { unsafe start?.advanced(by: $0) } }
            return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
        }
    }
}

/// A connection string as libpq reads it.
enum ConnectionString {
    /// Refuses a string that libpq cannot read.
    ///
    /// The library's own message is dropped, since it repeats parts of the string.
    static func check(_ text: String) throws(PostgreSQLError) {
        guard options(of: text) != nil else {
            throw PostgreSQLError(
                .invalidConfiguration,
                "the connection string is malformed, or has an option that libpq does not know"
            )
        }
    }

    /// The values that libpq marks as secret.
    static func secrets(in text: String) -> [String] {
        (options(of: text) ?? []).filter(\.isSecret).map(\.value)
    }

    private static func options(of text: String) -> [(value: String, isSecret: Bool)]? {
        guard !text.utf8.contains(0) else { return nil }
        var message: UnsafeMutablePointer<CChar>?
        let parsed = unsafe PQconninfoParse(text, &message)
        if let message = unsafe message { unsafe PQfreemem(message) }
        guard let parsed = unsafe parsed else { return nil }
        defer { unsafe PQconninfoFree(parsed) }
        var options: [(String, Bool)] = []
        var option = unsafe parsed
        while unsafe option.pointee.keyword != nil {
            if let value = unsafe option.pointee.val, let mark = unsafe option.pointee.dispchar {
                options.append((unsafe String(cString: value), unsafe mark.pointee == CChar(UInt8(ascii: "*"))))
            }
            unsafe option += 1
        }
        return options
    }
}
#endif
