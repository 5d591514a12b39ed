import IRMAClient
import IRMAClientContracts
import Testing

struct InMemoryWalletStoreTests {
    @Test(arguments: WalletStoreContract.promises)
    func keepsThePromise(promise: WalletStoreContract.Promise) async throws {
        try await promise.check(InMemoryWalletStore())
    }
}
