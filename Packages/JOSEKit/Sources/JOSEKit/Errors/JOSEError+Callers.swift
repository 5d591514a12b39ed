extension JOSEError {
    /// The value that a caller's closure gives; an error of another type becomes the cause of one of this layer.
    ///
    /// Closures that callers write are plain `throws`: the compiler infers nothing narrower for a closure without a
    /// written type.
    static func ofCaller<Value>(_ body: () throws -> Value) throws(JOSEError) -> Value {
        do {
            return try body()
        } catch let error as JOSEError {
            throw error
        } catch {
            throw JOSEError(.operationFailed, "the caller gives no key: \(error)", cause: error)
        }
    }
}
