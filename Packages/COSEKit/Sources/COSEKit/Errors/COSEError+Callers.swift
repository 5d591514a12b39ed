extension COSEError {
    /// The value that a caller's closure gives; an error of another type becomes the cause of one of this layer.
    ///
    /// Closures that callers write are plain `throws`: the compiler infers nothing narrower for a closure without a
    /// written type.
    static func ofCaller<Value>(_ body: () throws -> Value) throws(COSEError) -> Value {
        do {
            return try body()
        } catch let error as COSEError {
            throw error
        } catch {
            throw COSEError(.operationFailed, "the caller gives no key", cause: error)
        }
    }

    /// The value that a caller's asynchronous closure gives; an error of another type becomes a cause.
    static func ofAsyncCaller<Value>(_ body: () async throws -> Value) async throws(COSEError) -> Value {
        do {
            return try await body()
        } catch let error as COSEError {
            throw error
        } catch {
            throw COSEError(.operationFailed, "the caller gives no key", cause: error)
        }
    }
}
